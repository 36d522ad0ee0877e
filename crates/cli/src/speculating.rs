//! Where values may stand in for tests, and the schedules that come of it.

use std::time::Duration;

use residue_graph::DependencyGraph;
use residue_schedule::{Planner, Schedule, Speculation};

use crate::error::CliError;
use crate::plan::SuitePlan;
use crate::settable_fields::SettableFields;
use crate::workbench::Workbench;

/// The dependencies that the plan keeps and that values can meet, as far as
/// the store does not know better.
pub fn find(
    plan: &SuitePlan,
    workbench: &Workbench,
    number: usize,
) -> Result<Speculation, CliError> {
    let open = &workbench.suites[number];
    let graph = DependencyGraph::new(&plan.traced.trace);
    let fields = SettableFields::of(&open.spec.launch);
    let mut speculation = Speculation::of(&graph, &|class, field| fields.type_of(class, field));
    for (reader, writer) in workbench.store.refuted(open.key)? {
        if let (Some(reader), Some(writer)) = (graph.position(&reader), graph.position(&writer)) {
            speculation.refute(reader, writer);
        }
    }
    let kept = plan.workload(&graph);
    speculation.retain(|reader, writer| kept.needs(reader).contains(&writer));
    Ok(speculation)
}

/// A schedule, and where values stand in for tests in it.
pub struct BestSchedule {
    pub schedule: Schedule,
    /// What the schedule relies on; nothing if all tests run that others need.
    pub speculation: Speculation,
    /// How long a schedule takes in which they all run.
    pub without: Duration,
}

impl BestSchedule {
    /// The schedule to recommend. Values stand in for tests only if that makes
    /// it shorter.
    pub fn of(plan: &SuitePlan, graph: &DependencyGraph<'_>, workers: usize) -> Self {
        let made = |speculation: &Speculation| {
            let workload = plan.workload_with(graph, speculation);
            plan.schedule(&Planner::new(&workload), workers)
        };
        let plain = made(&Speculation::default());
        let without = plain.makespan();
        if !plan.speculation.is_empty() {
            let schedule = made(&plan.speculation);
            if schedule.makespan() < without {
                return Self { schedule, speculation: plan.speculation.clone(), without };
            }
        }
        Self { schedule: plain, speculation: Speculation::default(), without }
    }

    /// How many dependencies are met by values.
    pub fn met_by_values(&self) -> usize {
        self.schedule.lanes().map(|lane| self.speculation.met_in(lane).len()).sum()
    }
}
