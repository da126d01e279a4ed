#include "frontend/placement.h"

#include <torch/csrc/jit/ir/ir.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/range/iterator_range.hpp>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "torchweld/error.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

class Placement {
public:
  Placement(Block* block, const Dependences& dependences, const Borders& borders)
      : block_(block), dependences_(dependences), borders_(borders) {
    add_vertices();
    add_data_edges();
    for (const auto* edges : {&dependences.memory, &dependences.order})
      for (const auto& [from, to] : *edges) add_edge_between(node(from), node(to));
  }

  std::vector<Placed> sort() {
    std::vector<std::size_t> waiting_for(items_.size());
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      waiting_for[i] = boost::in_degree(i, graph_);
      if (waiting_for[i] == 0) ready.emplace(keys_[i], i);
    }
    std::vector<Placed> order;
    while (!ready.empty()) {
      const std::size_t i = ready.top().second;
      ready.pop();
      order.push_back(items_[i]);
      for (const auto next : boost::make_iterator_range(boost::adjacent_vertices(i, graph_)))
        if (--waiting_for[next] == 0) ready.emplace(keys_[next], next);
    }
    ensure(order.size() == items_.size(), "no region waits for itself");
    return order;
  }

private:
  using Ready = std::pair<int, std::size_t>;

  [[nodiscard]] Node* node(int position) const { return dependences_.nodes[static_cast<std::size_t>(position)]; }
  [[nodiscard]] std::size_t vertex_of(const Node* node) const {
    const auto found = vertex_of_node_.find(node);
    return found == vertex_of_node_.end() ? kNowhere : found->second;
  }

  void add_vertices() {
    for (std::size_t i = 0; i < dependences_.nodes.size(); ++i) {
      Node* each = dependences_.nodes[i];
      if (borders_.removed.count(each) != 0) continue;
      vertex_of_node_.emplace(each, add_vertex(each, static_cast<int>(i)));
    }
    for (std::size_t r = 0; r < borders_.regions.size(); ++r)
      if (borders_.regions[r].block == block_) add_region(r);
  }

  std::size_t add_vertex(Placed item, int key) {
    items_.push_back(item);
    keys_.push_back(key);
    return boost::add_vertex(graph_);
  }

  void add_region(std::size_t r) {
    const Region& region = borders_.regions[r];
    const std::size_t vertex = add_vertex(r, dependences_.position.at(region.members.back()));
    const std::unordered_set<const Node*> held(region.nodes.begin(), region.nodes.end());
    for (const Node* member : region.members)
      if (held.count(member) != 0) region_vertex_.emplace(member, vertex);
    for (const Value* output : region.outputs) source_.emplace(output, vertex);
  }

  void connect(std::size_t from, std::size_t to) {
    if (from != kNowhere && to != kNowhere && from != to) boost::add_edge(from, to, graph_);
  }

  void add_data_edges() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (const auto* r = std::get_if<std::size_t>(&items_[i])) {
        for (const auto* inputs : {&borders_.regions[*r].tensors, &borders_.regions[*r].scalars})
          for (Value* value : *inputs) connect(vertex_making(value), i);
      } else {
        add_data_edges_into(std::get<Node*>(items_[i]), i);
      }
    }
  }

  void add_data_edges_into(Node* node, std::size_t vertex) {
    if (borders_.removed.count(node) != 0) return;
    for (Value* value : node->inputs()) connect(vertex_making(value), vertex);
    for (Block* nested : node->blocks()) {
      for (Node* inner : nested->nodes()) add_data_edges_into(inner, vertex);
      for (Value* value : nested->outputs()) connect(vertex_making(value), vertex);
      for (const Region& region : borders_.regions) {
        if (region.block != nested) continue;
        for (const auto* inputs : {&region.tensors, &region.scalars})
          for (Value* value : *inputs) connect(vertex_making(value), vertex);
      }
    }
  }

  /// The vertex of this block that makes `value`; nowhere if it comes from outside of the block.
  [[nodiscard]] std::size_t vertex_making(const Value* value) const {
    if (const auto found = source_.find(value); found != source_.end()) return found->second;
    return vertex_of(value->node());
  }

  void add_edge_between(const Node* from, const Node* to) {
    for (const std::size_t a : vertices_of(from))
      for (const std::size_t b : vertices_of(to)) connect(a, b);
  }

  /// A view may be in a region and also stay.
  [[nodiscard]] std::vector<std::size_t> vertices_of(const Node* node) const {
    std::vector<std::size_t> vertices;
    if (const std::size_t vertex = vertex_of(node); vertex != kNowhere) vertices.push_back(vertex);
    if (const auto found = region_vertex_.find(node); found != region_vertex_.end()) vertices.push_back(found->second);
    return vertices;
  }

  Block* block_;
  const Dependences& dependences_;
  const Borders& borders_;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS> graph_;
  std::vector<Placed> items_;
  std::vector<int> keys_;
  std::unordered_map<const Node*, std::size_t> vertex_of_node_;
  std::unordered_map<const Node*, std::size_t> region_vertex_;
  std::unordered_map<const Value*, std::size_t> source_;
};

}  // namespace

std::vector<Placed> place(Block* block, const Dependences& dependences, const Borders& borders) {
  return Placement(block, dependences, borders).sort();
}

}  // namespace torchweld::frontend
