#include "gpu/card/captured_graph.hpp"

#include <map>
#include <vector>

#include "gpu/card/cuda_call.hpp"

namespace highwater::gpu {
namespace {

NodeKind kind_of(cudaGraphNode_t node) {
    cudaGraphNodeType type{};
    cuda_call(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    switch (type) {
        case cudaGraphNodeTypeKernel:
            return NodeKind::kKernel;
        case cudaGraphNodeTypeMemcpy:
            return NodeKind::kMemcpy;
        case cudaGraphNodeTypeMemset:
            return NodeKind::kMemset;
        case cudaGraphNodeTypeHost:
            return NodeKind::kHost;
        case cudaGraphNodeTypeMemAlloc:
            return NodeKind::kMemAlloc;
        case cudaGraphNodeTypeMemFree:
            return NodeKind::kMemFree;
        default:
            return NodeKind::kEmpty;
    }
}

struct Edges {
    std::vector<cudaGraphNode_t> from;
    std::vector<cudaGraphNode_t> to;
};

// Without room for what edges may carry, graphs with programmatic launches cannot be read.
cudaError_t get_edges(cudaGraph_t graph,
                      Edges* edges,
                      std::vector<cudaGraphEdgeData>* data,
                      std::size_t* count) {
    cudaGraphNode_t* const from = edges != nullptr ? edges->from.data() : nullptr;
    cudaGraphNode_t* const to = edges != nullptr ? edges->to.data() : nullptr;
    cudaGraphEdgeData* const carried = data != nullptr ? data->data() : nullptr;
#if CUDART_VERSION >= 13000
    return cudaGraphGetEdges(graph, from, to, carried, count);
#else
    return cudaGraphGetEdges_v2(graph, from, to, carried, count);
#endif
}

Edges edges_of(cudaGraph_t graph) {
    std::size_t count = 0;
    cuda_call(get_edges(graph, nullptr, nullptr, &count), "cudaGraphGetEdges");
    Edges edges{std::vector<cudaGraphNode_t>(count), std::vector<cudaGraphNode_t>(count)};
    std::vector<cudaGraphEdgeData> data(count);
    if (count > 0) {
        cuda_call(get_edges(graph, &edges, &data, &count), "cudaGraphGetEdges");
    }
    return edges;
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
    std::size_t count = 0;
    cuda_call(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
    std::vector<cudaGraphNode_t> nodes(count);
    if (count > 0) {
        cuda_call(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
    }
    return nodes;
}

}  // namespace

// The driver lists nodes in the order of their capture, which is a topological one.
CaptureGraph captured_graph(cudaGraph_t graph) {
    CaptureGraph captured;
    std::map<cudaGraphNode_t, GraphVertex> vertices;
    for (cudaGraphNode_t node : nodes_of(graph)) {
        GraphNode made;
        made.kind = kind_of(node);
        vertices.emplace(node, boost::add_vertex(made, captured));
    }
    const Edges edges = edges_of(graph);
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
        boost::add_edge(vertices.at(edges.from[i]), vertices.at(edges.to[i]), captured);
    }
    return captured;
}

}  // namespace highwater::gpu
