// Minimum degree order on the quotient graph.
#include "linear/order.hpp"

#include <algorithm>
#include <numeric>

#include "linear/buckets.hpp"

namespace kempe {
namespace {

using Index = std::int32_t;

/// Nodes that are left, and the cliques ("elements") that eliminated nodes have left behind.
/// An element is known by the node that made it.
class QuotientGraph {
  public:
    QuotientGraph(const Graph& graph, std::span<const Index> weights)
        : size_(graph.size()), weights_(weights.begin(), weights.end()), neighbours_(size_), elements_(size_),
          clique_(size_), clique_weight_(size_, 0), absorbed_(size_, 0), gone_(size_, 0), mark_(size_, Buckets::none),
          outside_(size_, 0), outside_mark_(size_, Buckets::none), degree_(size_, 0) {
        weights_.resize(size_, 1);
        for (Index node = 0; node < size_; ++node) {
            neighbours_[node].assign(graph.neighbours.begin() + graph.starts[node],
                                     graph.neighbours.begin() + graph.starts[node + 1]);
            for (const Index other : neighbours_[node]) degree_[node] += weights_[other];
        }
    }

    [[nodiscard]] std::vector<Index> order() {
        std::vector<Index> result;
        result.reserve(size_);
        Index left = std::accumulate(weights_.begin(), weights_.end(), Index{0});
        Buckets queue(size_, left + 1);
        for (Index node = 0; node < size_; ++node) queue.append(node, degree_[node]);
        Index lowest = 0;
        while (static_cast<Index>(result.size()) < size_) {
            while (queue.first(lowest) == Buckets::none) ++lowest;
            const Index node = queue.first(lowest);
            queue.remove(node);
            left -= weights_[node];
            result.push_back(node);
            eliminate(node);
            for (const Index other : clique_[node]) {
                degree_[other] = std::min(degree_after(other, node), left - weights_[other]);
                queue.move(other, degree_[other]);
                lowest = std::min(lowest, degree_[other]);
            }
        }
        return result;
    }

  private:
    /// The node becomes the clique of all it touches; the cliques it was in are absorbed.
    void eliminate(Index node) {
        gone_[node] = 1;
        mark_[node] = node;
        std::vector<Index>& clique = clique_[node];
        gather(neighbours_[node], node, clique);
        for (const Index element : elements_[node]) {
            gather(clique_[element], node, clique);
            absorbed_[element] = 1;
            clique_[element] = {};
        }
        for (const Index member : clique) clique_weight_[node] += weights_[member];
        for (const Index member : clique) {
            std::erase_if(neighbours_[member], [&](Index other) { return gone_[other] != 0 || mark_[other] == node; });
            std::erase_if(elements_[member], [&](Index element) { return absorbed_[element] != 0; });
            for (const Index element : elements_[member]) {  // weight outside the new clique
                if (outside_mark_[element] != node) {
                    outside_mark_[element] = node;
                    outside_[element] = clique_weight_[element];
                }
                outside_[element] -= weights_[member];
            }
        }
        for (const Index member : clique) elements_[member].push_back(node);
        neighbours_[node] = {};
        elements_[node] = {};
    }

    void gather(const std::vector<Index>& from, Index node, std::vector<Index>& clique) {
        for (const Index other : from) {
            if (gone_[other] == 0 && mark_[other] != node) {
                mark_[other] = node;
                clique.push_back(other);
            }
        }
    }

    /// Upper bound on the weight that `node` touches once the clique of `made` exists.
    [[nodiscard]] Index degree_after(Index node, Index made) const {
        const Index beside = clique_weight_[made] - weights_[node];
        Index sum = beside;
        for (const Index other : neighbours_[node]) sum += weights_[other];
        for (const Index element : elements_[node]) sum += element == made ? 0 : outside_[element];
        return std::min(sum, degree_[node] + beside);
    }

    Index size_;
    std::vector<Index> weights_;
    std::vector<std::vector<Index>> neighbours_;  // by edges of the graph itself
    std::vector<std::vector<Index>> elements_;    // cliques the node is in
    std::vector<std::vector<Index>> clique_;
    std::vector<Index> clique_weight_;
    std::vector<std::uint8_t> absorbed_;
    std::vector<std::uint8_t> gone_;
    std::vector<Index> mark_;
    std::vector<Index> outside_;
    std::vector<Index> outside_mark_;
    std::vector<Index> degree_;
};

}  // namespace

Graph graph_of_edges(std::int32_t size, std::span<const std::int32_t> from, std::span<const std::int32_t> to) {
    std::vector<std::vector<Index>> lists(size);
    for (std::size_t e = 0; e < from.size(); ++e) {
        if (from[e] != to[e]) {
            lists[from[e]].push_back(to[e]);
            lists[to[e]].push_back(from[e]);
        }
    }
    Graph graph;
    graph.starts.push_back(0);
    for (std::vector<Index>& list : lists) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        graph.neighbours.insert(graph.neighbours.end(), list.begin(), list.end());
        graph.starts.push_back(static_cast<Index>(graph.neighbours.size()));
    }
    return graph;
}

std::vector<std::int32_t> minimum_degree_order(const Graph& graph, std::span<const std::int32_t> weights) {
    return QuotientGraph(graph, weights).order();
}

}  // namespace kempe
