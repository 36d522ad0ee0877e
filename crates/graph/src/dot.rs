//! The graph as text for Graphviz.

use std::fmt::Write as _;

use crate::conflicts::DependencyKind;
use crate::graph::DependencyGraph;

impl DependencyGraph<'_> {
    /// Tests with data dependencies, one cluster a class, and an arrow from
    /// each reader to each test it depends on, named after the first location.
    pub fn to_dot(&self) -> String {
        let kind = DependencyKind::ReadAfterWrite;
        let mut involved: Vec<_> =
            self.pairs(kind).flat_map(|(later, earlier)| [later, earlier]).collect();
        involved.sort_unstable();
        involved.dedup();
        let class = |test: &usize| self.test(*test).class();
        let mut text = String::from(
            "digraph dependencies {\n  rankdir=RL;\n  node [shape=box, fontname=\"sans-serif\"];\n  \
             edge [fontname=\"sans-serif\", fontsize=10];\n",
        );
        // Writing to a String cannot fail.
        for (number, tests) in involved.chunk_by(|a, b| class(a) == class(b)).enumerate() {
            let _ = writeln!(text, "  subgraph cluster_{number} {{");
            let _ = writeln!(text, "    label={};", quoted(class(&tests[0])));
            for test in tests {
                let id = self.test(*test).as_str();
                let method = id.split_once('#').map_or(id, |(_, method)| method);
                let _ = writeln!(text, "    t{test} [label={}];", quoted(method));
            }
            text += "  }\n";
        }
        for dependency in self.dependencies(kind) {
            let mut label = dependency
                .flows()
                .next()
                .map_or_else(String::new, |flow| self.trace.path(flow.location).to_string());
            if dependency.flow_count() > 1 {
                let _ = write!(label, " and {} more", dependency.flow_count() - 1);
            }
            let (later, earlier) = (dependency.later(), dependency.earlier());
            let _ = writeln!(text, "  t{later} -> t{earlier} [label={}];", quoted(&label));
        }
        text + "}\n"
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use crate::DependencyGraph;
    use crate::testing::Run;

    #[test]
    fn an_arrow_goes_from_the_reader_to_the_writer() {
        let trace = Run::of(&["a.T#w", "a.T#none", "b.U#r[\"x\"]"])
            .test(0, &[], &[0, 1])
            .test(1, &[], &[])
            .test(2, &[0, 1], &[])
            .trace();
        assert_eq!(
            DependencyGraph::new(&trace).to_dot(),
            r#"digraph dependencies {
  rankdir=RL;
  node [shape=box, fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  subgraph cluster_0 {
    label="a.T";
    t0 [label="w"];
  }
  subgraph cluster_1 {
    label="b.U";
    t2 [label="r[\"x\"]"];
  }
  t2 -> t0 [label="State.s0 and 1 more"];
}
"#
        );
    }
}
