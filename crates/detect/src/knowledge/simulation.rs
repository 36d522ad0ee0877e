//! Walks through an order without running it.

use std::collections::{BTreeSet, HashMap};

use residue_model::Outcome;

use super::actors::ActorNumber;
use super::execution::{ExecutionId, Held};
use super::spots::{Spot, SpotSet};
use super::{Knowledge, OfActor, ends_jvm};
use crate::bits::TestSet;
use crate::roster::{Roster, TestNumber};

/// What is known about a test at a place of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It will do what this execution did.
    Known(ExecutionId),
    /// It would do what this execution did, but no trace of that told whether
    /// it reads some location that is not as made here.
    Untold(ExecutionId),
    /// It sees what it never saw.
    Novel,
    /// What it sees depends on an earlier test that sees what it never saw.
    Unsure,
    /// What it reads does not tell how it ends.
    Unpredictable,
}

/// A test of a simulated order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) test: TestNumber,
    pub(crate) seen: Seen,
    /// Places of the tests that left what it reads, and where they left it.
    pub(crate) from: Vec<(usize, Spot)>,
    /// What it sees, if it is not known what follows from it.
    pub(crate) view: Vec<(Spot, Content)>,
    /// Of what no trace told, if it is only that.
    pub(crate) untold: Vec<Spot>,
    /// Places of the tests that left something there.
    untold_from: Vec<usize>,
    /// It depends on all that ran before it in its JVM, from this place on.
    on_all_since: Option<usize>,
    /// A class fixture that does something runs between the test before it and
    /// this one.
    behind_fixture: bool,
}

impl Step {
    /// Whether the test sees here what it sees there.
    pub(crate) fn sees_like(&self, other: &Self) -> bool {
        match (self.seen, other.seen) {
            (Seen::Known(a) | Seen::Untold(a), Seen::Known(b) | Seen::Untold(b)) => a == b,
            (a, b) => a == b && self.view == other.view,
        }
    }
}

/// What a location holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    AsMade,
    Held(Held),
    /// One of these tests may have written it, in this order. What is left of
    /// their names tells sequences apart.
    Unsure(Vec<TestNumber>),
}

#[derive(Debug, Clone)]
struct Entry {
    content: Content,
    places: Vec<usize>,
}

/// An order, test by test.
pub(crate) struct Simulation<'a> {
    knowledge: &'a Knowledge,
    roster: &'a Roster,
    steps: Vec<Step>,
    places: HashMap<TestNumber, usize>,
    jvm: Jvm,
    undo: Vec<Undo>,
}

#[derive(Default)]
struct Jvm {
    state: HashMap<Spot, Entry>,
    /// What is not as the JVM made it, or may not be.
    touched: SpotSet,
    /// The class fixture that is open.
    open: Option<usize>,
    since: usize,
    /// A test ran of which nothing at all is known.
    blind: bool,
}

enum Undo {
    Entry(Spot, Option<Entry>),
    Open(Option<usize>),
    Blind(bool),
    Jvm(Jvm),
}

/// Where a simulation stood.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    steps: usize,
    undo: usize,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, roster: &'a Roster) -> Self {
        Self {
            knowledge,
            roster,
            steps: Vec::new(),
            places: HashMap::new(),
            jvm: Jvm::default(),
            undo: Vec::new(),
        }
    }

    pub(crate) fn of(knowledge: &'a Knowledge, roster: &'a Roster, order: &[TestNumber]) -> Self {
        let mut simulation = Self::new(knowledge, roster);
        for &test in order {
            simulation.push(test);
        }
        simulation
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn place_of(&self, test: TestNumber) -> Option<usize> {
        self.places.get(&test).copied()
    }

    /// The tests, in order.
    pub(crate) fn order(&self) -> Vec<TestNumber> {
        self.steps.iter().map(|step| step.test).collect()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { steps: self.steps.len(), undo: self.undo.len() }
    }

    /// Takes back what came after the mark.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        for step in self.steps.drain(mark.steps..) {
            self.places.remove(&step.test);
        }
        while self.undo.len() > mark.undo
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Entry(spot, before) => self.jvm.put(spot, before),
                Undo::Open(before) => self.jvm.open = before,
                Undo::Blind(before) => self.jvm.blind = before,
                Undo::Jvm(before) => self.jvm = before,
            }
        }
    }

    /// Lets a test come next, with the class fixtures that run before it.
    pub(crate) fn push(&mut self, test: TestNumber) -> &Step {
        let place = self.steps.len();
        let mut step = Step {
            test,
            seen: Seen::Novel,
            from: Vec::new(),
            view: Vec::new(),
            untold: Vec::new(),
            untold_from: Vec::new(),
            on_all_since: None,
            behind_fixture: false,
        };
        self.steps.push(step.clone());
        self.places.insert(test, place);
        let fixture = self.roster.fixture_of(test);
        let mut fixtures = Seen::Known(0);
        if self.jvm.open != Some(fixture) {
            let actors = self.knowledge.roster_actors;
            let closing = self.jvm.open.map(|open| actors.closing(open));
            for actor in closing.into_iter().chain([actors.opening(fixture)]) {
                let seen = self.act(actor, place, &mut step);
                if !matches!(seen, Seen::Known(_)) {
                    fixtures = seen;
                }
                if let Seen::Known(id) | Seen::Untold(id) = seen
                    && actor == actors.opening(fixture)
                {
                    self.opened(fixture, id, place);
                }
            }
            self.undo.push(Undo::Open(self.jvm.open));
            self.jvm.open = Some(fixture);
        }
        step.seen = self.act(test, place, &mut step);
        // Nothing is known about a test behind a fixture that sees new things.
        step.seen = match (fixtures, step.seen) {
            (Seen::Known(_), seen) | (_, seen @ Seen::Unpredictable) => seen,
            (Seen::Untold(_), Seen::Known(id)) => Seen::Untold(id),
            (Seen::Untold(_), seen) => seen,
            (fixtures, _) => fixtures,
        };
        if let Seen::Known(id) | Seen::Untold(id) = step.seen
            && ends_jvm(&self.knowledge.execution(id).outcome)
        {
            let new = Jvm { since: place + 1, ..Jvm::default() };
            self.undo.push(Undo::Jvm(std::mem::replace(&mut self.jvm, new)));
        }
        self.steps[place] = step;
        &self.steps[place]
    }

    /// Whether it is known what the class fixture does that closes the order.
    pub(crate) fn is_end_known(&self) -> bool {
        let closing = self.jvm.open.map(|open| self.knowledge.roster_actors.closing(open));
        closing.is_none_or(|closing| matches!(self.look_up(closing), Seen::Known(_)))
    }

    /// One actor at a place: what is known of it goes into the step.
    fn act(&mut self, actor: ActorNumber, place: usize, step: &mut Step) -> Seen {
        let of_actor = &self.knowledge.actors[actor as usize];
        let is_fixture = actor as usize >= self.roster.len();
        if is_fixture && (!of_actor.may_read.is_empty() || !of_actor.may_write.is_empty()) {
            step.behind_fixture = true;
        }
        let seen = self.look_up(actor);
        let mut provided = |spot: Spot| {
            let entry = self.jvm.state.get(&spot);
            let places = entry.into_iter().flat_map(|entry| &entry.places);
            step.from.extend(places.filter(|&&from| from != place).map(|&from| (from, spot)));
        };
        match seen {
            Seen::Known(id) | Seen::Untold(id) => {
                let execution = self.knowledge.execution(id);
                if matches!(seen, Seen::Untold(_)) {
                    for spot in execution.universe.missing(&self.jvm.touched) {
                        let left = self.jvm.state.get(&spot).into_iter();
                        step.untold_from.extend(left.flat_map(|entry| &entry.places));
                        step.untold.push(spot);
                    }
                }
                execution.context.iter().for_each(|(spot, _)| provided(*spot));
                execution.reads_as_made.iter().for_each(|&spot| provided(spot));
            }
            _ => {
                of_actor.may_read.iter().for_each(|&spot| provided(spot));
                let counting = of_actor.may_read.iter();
                let counting = counting.filter(|&&spot| !self.knowledge.is_idle(spot));
                step.view.extend(counting.filter_map(|&spot| match self.jvm.content(spot) {
                    Content::AsMade => None,
                    content => Some((spot, content.clone())),
                }));
            }
        }
        let never_traced = of_actor.shapes.is_empty();
        if seen == Seen::Unpredictable || self.jvm.blind || never_traced {
            step.on_all_since = Some(self.jvm.since);
        }
        match seen {
            Seen::Known(id) | Seen::Untold(id) => self.known_effects(id, place),
            _ => self.possible_effects(actor, place),
        }
        seen
    }

    /// Whether a fixture failed is what the tests of its class see of it.
    fn opened(&mut self, fixture: usize, id: ExecutionId, place: usize) {
        let content = match self.knowledge.execution(id).outcome {
            Outcome::Passed => Content::AsMade,
            _ => Content::Held(Held::LeftBy(id)),
        };
        let spot = fixture as Spot;
        if *self.jvm.content(spot) != content {
            self.set(spot, Entry { content, places: vec![place] });
        }
    }

    fn look_up(&self, actor: ActorNumber) -> Seen {
        let of_actor = &self.knowledge.actors[actor as usize];
        if of_actor.unpredictable {
            return Seen::Unpredictable;
        }
        if let Some(id) = self.known_but_for_idle(of_actor) {
            return Seen::Known(id);
        }
        let mut unsure = self.jvm.blind;
        let mut best: Option<ExecutionId> = None;
        let mut untold: Option<ExecutionId> = None;
        let mut key = Vec::new();
        for shape in &of_actor.shapes {
            key.clear();
            for &spot in shape {
                match self.jvm.content(spot) {
                    Content::Held(held) => key.push((spot, *held)),
                    Content::Unsure(_) => unsure = true,
                    Content::AsMade => break,
                }
            }
            let Some(&id) = of_actor.contexts.get(key.as_slice()) else { continue };
            let execution = self.knowledge.execution(id);
            if key.len() < shape.len() || execution.context.len() < shape.len() {
                continue;
            }
            match self.fits(id) {
                Fit::No => {}
                Fit::Unsure => unsure = true,
                Fit::Untold => untold = Some(id),
                Fit::Yes => {
                    let known = best.map(|best| self.knowledge.execution(best));
                    if known.is_some_and(|known| known.outcome != execution.outcome) {
                        return Seen::Novel;
                    }
                    if known.is_none_or(|known| known.context.len() < shape.len()) {
                        best = Some(id);
                    }
                }
            }
        }
        match best {
            _ if self.jvm.blind => Seen::Unsure,
            Some(id) => Seen::Known(id),
            None if unsure => Seen::Unsure,
            None => untold.map_or(Seen::Novel, Seen::Untold),
        }
    }

    /// The first execution that saw what there is to see now, but for what makes
    /// no difference. None if such executions did not all end alike, and if
    /// nothing that the actor reads makes no difference.
    fn known_but_for_idle(&self, of_actor: &OfActor) -> Option<ExecutionId> {
        let counts = |spot: Spot| !self.knowledge.is_idle(spot);
        if self.jvm.blind || of_actor.may_read.iter().all(|&spot| counts(spot)) {
            return None;
        }
        let fits = |id: &&ExecutionId| {
            let execution = self.knowledge.execution(**id);
            let mut held = execution.context.iter().filter(|(spot, _)| counts(*spot));
            let mut made = execution.reads_as_made.iter().filter(|spot| counts(**spot));
            held.all(|(spot, held)| *self.jvm.content(*spot) == Content::Held(*held))
                && made.all(|&spot| *self.jvm.content(spot) == Content::AsMade)
                && execution.universe.covers(&self.jvm.touched)
        };
        let outcome = |id: &ExecutionId| &self.knowledge.execution(*id).outcome;
        let mut fitting = of_actor.executions.iter().filter(fits);
        let first = fitting.next()?;
        fitting.all(|id| outcome(id) == outcome(first)).then_some(*first)
    }

    /// Whether all that the execution reads beyond its context is as made.
    fn fits(&self, id: ExecutionId) -> Fit {
        let execution = self.knowledge.execution(id);
        let mut fit = match execution.universe.covers(&self.jvm.touched) {
            true => Fit::Yes,
            false => Fit::Untold,
        };
        for &spot in &execution.reads_as_made {
            match self.jvm.content(spot) {
                Content::AsMade => {}
                Content::Unsure(_) => fit = Fit::Unsure,
                Content::Held(_) => return Fit::No,
            }
        }
        fit
    }

    fn known_effects(&mut self, id: ExecutionId, place: usize) {
        let knowledge = self.knowledge;
        let execution = knowledge.execution(id);
        for (&spot, effect) in &execution.effects {
            if !effect.sure {
                self.may_change(spot, place);
                continue;
            }
            let before = match self.jvm.content(spot) {
                Content::AsMade => Some(None),
                Content::Held(held) => Some(Some(*held)),
                Content::Unsure(_) => None,
            };
            if before.is_some_and(|before| effect.no_change_over.contains(&before)) {
                continue;
            }
            let content = knowledge.left(id, spot, effect.after);
            let content = content.map_or(Content::AsMade, Content::Held);
            self.set(spot, Entry { content, places: vec![place] });
        }
    }

    fn possible_effects(&mut self, actor: ActorNumber, place: usize) {
        let of_actor = &self.knowledge.actors[actor as usize];
        if of_actor.shapes.is_empty() {
            self.undo.push(Undo::Blind(self.jvm.blind));
            self.jvm.blind = true;
        }
        // What would leave things as they are does so here too, most likely.
        let guess = self.guess(actor).map(|id| &self.knowledge.execution(id).effects);
        for &spot in &of_actor.may_write {
            let effect = guess.map(|effects| effects.get(&spot));
            let leaves = effect.is_some_and(|e| e.is_none_or(|e| !e.no_change_over.is_empty()));
            if !leaves {
                self.may_change(spot, place);
            }
        }
    }

    /// An execution that saw other things, but in the same locations. Only a
    /// guess: nothing is concluded from it before a run.
    fn guess(&self, actor: ActorNumber) -> Option<ExecutionId> {
        let of_actor = &self.knowledge.actors[actor as usize];
        let is_made = |spot: &Spot| *self.jvm.content(*spot) == Content::AsMade;
        let alike = |id: &&ExecutionId| {
            let execution = self.knowledge.execution(**id);
            let touched = execution.context.iter().all(|(spot, _)| !is_made(spot));
            touched && execution.reads_as_made.iter().all(is_made)
        };
        let fitting = of_actor.executions.iter().filter(|_| !of_actor.unpredictable).filter(alike);
        fitting.max_by_key(|id| self.knowledge.execution(**id).context.len()).copied()
    }

    fn may_change(&mut self, spot: Spot, place: usize) {
        let mut places = self.jvm.state.get(&spot).map_or(Vec::new(), |entry| entry.places.clone());
        places.push(place);
        let tests = places.iter().map(|&place| self.steps[place].test).collect();
        self.set(spot, Entry { content: Content::Unsure(tests), places });
    }

    fn set(&mut self, spot: Spot, entry: Entry) {
        let before = self.jvm.state.get(&spot).cloned();
        self.undo.push(Undo::Entry(spot, before));
        self.jvm.put(spot, Some(entry));
    }

    /// Of each place whether one of these tests runs there, or what is seen
    /// there goes back to one of them: to what they left, or to what others did
    /// not leave because of them.
    pub(crate) fn goes_back_to(&self, these: &TestSet) -> Vec<bool> {
        let mut back: Vec<bool> = Vec::with_capacity(self.steps.len());
        let mut maybe_missing: BTreeSet<Spot> = BTreeSet::new();
        for (place, step) in self.steps.iter().enumerate() {
            let previous = place.checked_sub(1).map(|place| self.steps[place].test);
            let itself = these.contains(step.test);
            let from = step.from.iter().map(|(from, _)| from).chain(&step.untold_from);
            let through_state = from.filter(|from| **from < place).any(|from| back[*from]);
            let through_all =
                step.on_all_since.is_some_and(|since| back[since..place].contains(&true));
            let through_fixture = step.behind_fixture && self.is_opened_by(these, place);
            let reads = |actor: &ActorNumber| {
                let may_read = &self.knowledge.actors[*actor as usize].may_read;
                may_read.iter().any(|spot| maybe_missing.contains(spot))
            };
            let actors = self.actors_at(step.test, previous);
            let through_gap = !maybe_missing.is_empty() && actors.iter().any(reads);
            back.push(itself || through_state || through_all || through_fixture || through_gap);
            if back[place] {
                let others = actors.iter().filter(|actor| !itself || **actor != step.test);
                let of_others = others.map(|actor| &self.knowledge.actors[*actor as usize]);
                maybe_missing.extend(of_others.flat_map(|other| &other.may_write));
            } else if let Seen::Known(id) = step.seen {
                let effects = self.knowledge.execution(id).effects.iter();
                let sure = effects.filter(|(_, effect)| effect.sure);
                sure.for_each(|(spot, _)| _ = maybe_missing.remove(spot));
            }
        }
        back
    }

    /// Whether the class fixtures at this place run, or do what they do, because
    /// one of these tests comes before: it may stand between two tests of one
    /// class, or its own class closes here.
    fn is_opened_by(&self, these: &TestSet, place: usize) -> bool {
        let before = self.steps[..place].iter().rev().map(|step| step.test);
        let mut before = before.peekable();
        let Some(&previous) = before.peek() else { return false };
        if !these.contains(previous) {
            return false;
        }
        let fixture_of = |test: TestNumber| self.roster.fixture_of(test);
        let closing = self.knowledge.roster_actors.closing(fixture_of(previous));
        let leaves = !self.knowledge.actors[closing as usize].may_write.is_empty();
        let other = before.find(|test| !these.contains(*test));
        let splits = other.is_some_and(|o| fixture_of(o) == fixture_of(self.steps[place].test));
        leaves || splits
    }

    /// A test, and the class fixtures that run before it if that one came
    /// before.
    fn actors_at(&self, test: TestNumber, previous: Option<TestNumber>) -> Vec<ActorNumber> {
        let actors = self.knowledge.roster_actors;
        let fixture = self.roster.fixture_of(test);
        let left = previous.map(|previous| self.roster.fixture_of(previous));
        if left == Some(fixture) {
            return vec![test];
        }
        let closing = left.map(|left| actors.closing(left));
        closing.into_iter().chain([actors.opening(fixture), test]).collect()
    }

    /// The places that decide what happens at these, in order.
    pub(crate) fn needed(&self, places: &[usize]) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        let mut open = places.to_vec();
        while let Some(place) = open.pop() {
            if !needed.insert(place) {
                continue;
            }
            let step = &self.steps[place];
            open.extend(step.from.iter().map(|(place, _)| *place));
            open.extend(step.on_all_since.into_iter().flat_map(|since| since..place));
            // Who came before decides whether a class fixture runs.
            if place > 0 && step.behind_fixture {
                open.push(place - 1);
            }
        }
        needed
    }
}

enum Fit {
    Yes,
    No,
    Untold,
    Unsure,
}

impl Jvm {
    fn content(&self, spot: Spot) -> &Content {
        self.state.get(&spot).map_or(&Content::AsMade, |entry| &entry.content)
    }

    fn put(&mut self, spot: Spot, entry: Option<Entry>) {
        match entry {
            Some(entry) => {
                match entry.content {
                    Content::AsMade => self.touched.remove(spot),
                    _ => self.touched.insert(spot),
                }
                self.state.insert(spot, entry);
            }
            None => {
                self.touched.remove(spot);
                self.state.remove(&spot);
            }
        }
    }
}
