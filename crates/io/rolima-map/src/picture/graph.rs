//! A skeleton as a graph: ways of pixels between ends and junctions.

use super::effort::TooMany;
use super::plane::{DEPTH_UNIT, PixelPlane};
use rolima_math::Vec2;

/// Most ways and nodes: a drawn maze has some thousands, noise millions.
const MOST: usize = 60_000;

/// A run of pixels between two nodes, those included.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The pixels by their indices.
    pub(crate) pixels: Vec<usize>,
    pub(crate) nodes: [usize; 2],
}

/// A place where ways end or meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) place: Vec2,
    /// How far inside the ink it lies, pixels.
    pub(crate) depth: f64,
    /// How many ways end here; a ring that begins and ends here counts twice.
    pub(crate) degree: usize,
}

/// A skeleton, without what the edges of the ink add to it.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) branches: Vec<Branch>,
    pub(crate) nodes: Vec<Node>,
    /// For each node the things of ink that hang together, by a number.
    pub(crate) groups: Vec<usize>,
    /// The same for each chain of pixels that the graph was made of.
    pub(crate) chain_groups: Vec<usize>,
    /// Pixels in a row of the picture.
    pub(crate) width: usize,
}

impl Graph {
    /// The graph of a skeleton from its chains of pixels. `depth` is how far inside the ink a
    /// pixel lies.
    pub(crate) fn new(
        skeleton: &PixelPlane<bool>,
        depth: &PixelPlane<u16>,
        chains: &[Vec<usize>],
    ) -> Result<Self, TooMany> {
        if chains.len() > MOST {
            return Err(TooMany);
        }
        // Ends of chains are the nodes' pixels.
        let mut pixels: Vec<usize> =
            chains.iter().flat_map(|chain| [chain[0], chain[chain.len() - 1]]).collect();
        pixels.sort_unstable();
        pixels.dedup();
        let nodes = pixels
            .iter()
            .map(|i| {
                let depth = f64::from(depth.data[*i]) / f64::from(DEPTH_UNIT);
                Node { place: skeleton.center(*i), depth, degree: 0 }
            })
            .collect();
        let node = |pixel: usize| pixels.binary_search(&pixel).unwrap_or_default();
        let branches = chains
            .iter()
            .map(|chain| Branch {
                nodes: [node(chain[0]), node(chain[chain.len() - 1])],
                pixels: chain.clone(),
            })
            .collect();
        let mut graph =
            Self { branches, nodes, groups: vec![], chain_groups: vec![], width: skeleton.width };
        graph.group();
        graph.contract();
        for _ in 0..3 {
            if !graph.prune() {
                break;
            }
            graph.straighten();
        }
        graph.contract();
        graph.straighten();
        Ok(graph)
    }

    fn group(&mut self) {
        let mut sets = Sets::new(self.nodes.len());
        self.branches.iter().for_each(|branch| sets.unite(branch.nodes[0], branch.nodes[1]));
        self.groups = (0..self.nodes.len()).map(|node| sets.root(node)).collect();
        self.chain_groups =
            self.branches.iter().map(|branch| self.groups[branch.nodes[0]]).collect();
    }

    fn count_degrees(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.degree = 0);
        for branch in &self.branches {
            branch.nodes.iter().for_each(|node| self.nodes[*node].degree += 1);
        }
    }

    /// Makes one node of those that lie within the same clot of ink: where strokes cross, thinning
    /// leaves some junctions side by side.
    fn contract(&mut self) {
        self.count_degrees();
        let mut sets = Sets::new(self.nodes.len());
        let mut kept = vec![];
        for branch in self.branches.drain(..) {
            let [a, b] = branch.nodes.map(|node| self.nodes[node]);
            let reach = 0.7 * (a.depth + b.depth) - 0.5;
            let is_junction = a.degree >= 3 && b.degree >= 3;
            let length = branch.pixels.len() as f64 - 1.0;
            if is_junction && (length <= 1.0 || length <= reach) {
                sets.unite(branch.nodes[0], branch.nodes[1]);
            } else {
                kept.push(branch);
            }
        }
        // The place of a clot is the mean of its nodes.
        let mut sums: Vec<(Vec2, f64, f64)> = vec![(Vec2::ZERO, 0.0, 0.0); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            let sum = &mut sums[sets.root(i)];
            *sum = (sum.0 + node.place, sum.1 + 1.0, sum.2.max(node.depth));
        }
        for (node, (place, count, depth)) in self.nodes.iter_mut().zip(sums) {
            if count > 1.0 {
                (node.place, node.depth) = (place * (1.0 / count), depth);
            }
        }
        for branch in &mut kept {
            branch.nodes = branch.nodes.map(|node| sets.root(node));
        }
        self.branches = kept;
        self.count_degrees();
    }

    /// Takes out short ways to a free end: bumps of the ink's edge, and the corners of its tips.
    fn prune(&mut self) -> bool {
        self.count_degrees();
        let spur = |branch: &Branch| {
            let [a, b] = branch.nodes;
            let (free, other) = if self.nodes[a].degree == 1 { (a, b) } else { (b, a) };
            let (free, at) = (self.nodes[free], self.nodes[other]);
            let reach = at.depth + 1.5;
            let is_spur = free.degree == 1
                && at.degree >= 3
                && (free.place - at.place).length() <= reach
                && branch.pixels.len() as f64 <= 1.5 * reach + 2.0;
            is_spur.then_some(other)
        };
        let spurs: Vec<Option<usize>> = self.branches.iter().map(spur).collect();
        // Where nothing else is left, the two longest are the stroke.
        let mut others: Vec<usize> = self.nodes.iter().map(|node| node.degree).collect();
        spurs.iter().flatten().for_each(|node| others[*node] -= 1);
        let mut order: Vec<usize> =
            (0..self.branches.len()).filter(|i| spurs[*i].is_some()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(self.branches[*i].pixels.len()));
        let mut gone = vec![false; self.branches.len()];
        let mut spared = vec![0_usize; self.nodes.len()];
        for branch in order {
            let Some(node) = spurs[branch] else { continue };
            if others[node] == 0 && spared[node] < 2 {
                spared[node] += 1;
            } else {
                gone[branch] = true;
            }
        }
        let before = self.branches.len();
        let mut index = 0;
        self.branches.retain(|_| {
            index += 1;
            !gone[index - 1]
        });
        self.count_degrees();
        self.branches.len() < before
    }

    /// Makes one way of two that meet at a node where nothing else does.
    fn straighten(&mut self) {
        self.count_degrees();
        let mut at_node: Vec<[usize; 2]> = vec![[usize::MAX; 2]; self.nodes.len()];
        for (i, branch) in self.branches.iter().enumerate() {
            for node in branch.nodes {
                let slots = &mut at_node[node];
                slots[usize::from(slots[0] != usize::MAX)] = i;
            }
        }
        // Which ways have become one.
        let mut sets = Sets::new(self.branches.len());
        let mut branches: Vec<Option<Branch>> = self.branches.drain(..).map(Some).collect();
        for (node, slots) in at_node.iter().enumerate() {
            if self.nodes[node].degree != 2 {
                continue;
            }
            let [a, b] = slots.map(|branch| sets.root(branch));
            if a == b {
                continue; // a ring
            }
            let (Some(first), Some(second)) = (branches[a].take(), branches[b].take()) else {
                continue;
            };
            sets.unite(a, b);
            branches[a.min(b)] = Some(joined(first, second, node));
        }
        self.branches = branches.into_iter().flatten().collect();
        self.count_degrees();
    }
}

/// Two ways that meet at `node` as one.
fn joined(mut first: Branch, mut second: Branch, node: usize) -> Branch {
    if first.nodes[1] != node {
        first.pixels.reverse();
        first.nodes.reverse();
    }
    if second.nodes[0] != node {
        second.pixels.reverse();
        second.nodes.reverse();
    }
    let is_shared = first.pixels.last() == second.pixels.first();
    first.pixels.extend(second.pixels.into_iter().skip(usize::from(is_shared)));
    Branch { pixels: first.pixels, nodes: [first.nodes[0], second.nodes[1]] }
}

/// Sets of numbers that are united step by step.
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// The smallest number of the set that one is in.
    pub(crate) fn root(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
