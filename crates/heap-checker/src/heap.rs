//! The walk: from all static fields and threads through everything they lead to,
//! field by field, each time anew. Slow, and simple enough to be believed.

use std::collections::HashMap;
use std::sync::Arc;

use jni_sys::{jclass, jobject};
use residue_ignore::Rules;
use residue_model::trace::Name;

use crate::changes::{Change, Line, Place, Seen};
use crate::classes::{ClassIndex, Classes, Field, Nature, class_value};
use crate::jvm::{Jni, Jvmti, Weak, width};
use crate::slot::{Slot, element};
use crate::snapshot::{Contents, Node, Root, Snapshot, number};

/// The JVM in the thread that has come to a boundary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvm {
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
}

/// What led to an object first.
#[derive(Debug, Clone)]
enum Found {
    Static(Name, Name),
    Field(u32, Name, Name),
    Element(u32, u32),
    Thread(String),
    Framework,
}

#[derive(Debug)]
struct Known {
    object: Weak,
    class: ClassIndex,
    found: Found,
    /// Nothing until it is looked at for the first time.
    contents: Option<Arc<Contents>>,
    /// The last walk that came by.
    walk: u32,
}

/// All that can be reached, as it was when it was last looked at.
#[derive(Debug)]
pub(crate) struct Heap {
    classes: Classes,
    statics: HashMap<ClassIndex, Vec<Slot>>,
    /// By number, which is also the object's tag.
    objects: HashMap<u32, Known>,
    last_number: u32,
    /// Number of this walk; 0 before the first.
    walk: u32,
    /// Objects that were met and are to be looked at.
    waiting: Vec<u32>,
    /// Threads, and objects that frameworks keep.
    kept: Vec<u32>,
    changed: Vec<Line>,
}

/// Whether known objects are looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Between boundaries only what nobody has seen yet is added.
    New,
}

impl Heap {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            classes: Classes::new(rules),
            statics: HashMap::new(),
            objects: HashMap::new(),
            last_number: 0,
            walk: 0,
            waiting: Vec::new(),
            kept: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Looks at everything. What is not as it was the last time is told.
    pub(crate) fn compare(&mut self, jvm: Jvm) -> Vec<Line> {
        self.walk += 1;
        for class in jvm.jvmti.loaded_classes() {
            if self.has_statics_now(jvm, class) {
                self.look_at_statics(jvm, class);
            }
            jvm.jni.delete_local(class);
        }
        for thread in jvm.jvmti.threads() {
            let name = jvm.jvmti.thread_name(thread);
            self.keep(jvm, thread, Found::Thread(name), Scope::All);
            jvm.jni.delete_local(thread);
        }
        self.meet_kept(jvm);
        self.look_at_waiting(jvm, Scope::All);
        self.look_at_unreachable(jvm);
        std::mem::take(&mut self.changed)
    }

    /// All that the last walk has found from statics and threads.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for &index in self.statics.keys() {
            snapshot.roots.extend(self.roots(index));
        }
        for (&number, known) in &self.objects {
            let class = self.classes.get(known.class);
            let (true, Some(contents)) = (known.walk == self.walk, &known.contents) else {
                continue;
            };
            if self.kept.contains(&number) {
                let slot = Slot::Object { class: class.name.clone(), number };
                snapshot.roots.insert(Root::Object(number), slot);
            }
            let node = Node { shape: class.shape.clone(), contents: contents.clone() };
            snapshot.objects.insert(number, node);
        }
        snapshot
    }

    fn roots(&self, index: ClassIndex) -> Vec<(Root, Slot)> {
        let fields = &self.classes.get(index).statics;
        let slots = self.statics.get(&index).map_or(&[][..], Vec::as_slice);
        let root = |(field, slot): (&Field, &Slot)| {
            let (class, field) = (field.class.clone(), field.name.clone());
            (Root::Static { number: index.number(), class, field }, slot.clone())
        };
        fields.iter().zip(slots).map(root).collect()
    }

    /// State of the JVM was always there, whoever is the first to ask for it: what
    /// the initialiser of such a class has just made belongs to the past.
    pub(crate) fn add_state_of_jvm(&mut self, jvm: Jvm, class: jclass, to: &mut Snapshot) {
        const JVM: [&str; 4] = ["java.", "javax.", "sun.", "jdk."];
        let index = self.classes.index(jvm.jvmti, jvm.jni, class);
        let name = &self.classes.get(index).name;
        if !JVM.iter().any(|package| name.starts_with(package)) {
            return;
        }
        let roots = self.roots(index);
        let mut waiting: Vec<u32> = roots.iter().filter_map(|(_, slot)| number(slot)).collect();
        to.roots.extend(roots);
        while let Some(object) = waiting.pop() {
            let Some(known) = self.objects.get(&object) else { continue };
            let (false, Some(contents)) = (to.objects.contains_key(&object), &known.contents)
            else {
                continue;
            };
            waiting.extend(contents.references().iter().filter_map(number));
            let shape = self.classes.get(known.class).shape.clone();
            to.objects.insert(object, Node { shape, contents: contents.clone() });
        }
    }

    /// What an initialiser has made was always there.
    pub(crate) fn class_initialised(&mut self, jvm: Jvm, class: jclass) {
        let index = self.classes.index(jvm.jvmti, jvm.jni, class);
        if self.walk > 0 && !self.statics.contains_key(&index) {
            let slots = self.read_statics(jvm, class, index, Scope::New);
            self.statics.insert(index, slots);
            self.look_at_waiting(jvm, Scope::New);
        }
    }

    /// An object that a framework keeps without a static was always there.
    pub(crate) fn framework_keeps(&mut self, jvm: Jvm, object: jobject) {
        if self.walk > 0 {
            self.keep(jvm, object, Found::Framework, Scope::New);
            self.look_at_waiting(jvm, Scope::New);
        }
    }

    /// Without an initialiser statics are there as soon as the class is.
    fn has_statics_now(&mut self, jvm: Jvm, class: jclass) -> bool {
        jvm.jvmti.is_initialized(class)
            || jvm.jvmti.is_prepared(class) && {
                let index = self.classes.index(jvm.jvmti, jvm.jni, class);
                !self.classes.get(index).has_initialiser
            }
    }

    fn look_at_statics(&mut self, jvm: Jvm, class: jclass) {
        let index = self.classes.index(jvm.jvmti, jvm.jni, class);
        if self.classes.get(index).statics.is_empty() {
            return;
        }
        let now = self.read_statics(jvm, class, index, Scope::All);
        let described = self.classes.get(index);
        let before = match self.statics.insert(index, now.clone()) {
            Some(before) => before,
            None if self.walk == 1 => return,
            None if described.has_initialiser => {
                let class = described.name.to_string();
                return self.changed.push(Line::Unseen { class });
            }
            None => described.statics.iter().map(|field| Slot::untouched(field.kind)).collect(),
        };
        for ((field, old), new) in described.statics.iter().zip(&before).zip(&now) {
            if old != new && !field.is_constant {
                let (class, name) = (field.class.to_string(), field.name.to_string());
                let place = Place::Static { class, field: name };
                let path = format!("{}#{}", field.class, field.name);
                self.changed.push(change(place, path, true, old, new));
            }
        }
    }

    fn read_statics(
        &mut self,
        jvm: Jvm,
        class: jclass,
        index: ClassIndex,
        scope: Scope,
    ) -> Vec<Slot> {
        let fields = self.classes.get(index).statics.clone();
        let found = |field: &Field| Found::Static(field.class.clone(), field.name.clone());
        self.read_fields(jvm, class, &fields, true, found, scope)
    }

    /// Reads the fields of an object or of a class.
    fn read_fields(
        &mut self,
        jvm: Jvm,
        holder: jobject,
        fields: &[Field],
        is_static: bool,
        found: impl Fn(&Field) -> Found,
        scope: Scope,
    ) -> Vec<Slot> {
        let mut slots = Vec::with_capacity(fields.len());
        for field in fields {
            slots.push(if field.kind == b'L' {
                let object = jvm.jni.reference(holder, field.id, is_static);
                self.slot(jvm, object, || found(field), scope)
            } else {
                let bits = jvm.jni.primitive(holder, field.id, field.kind, is_static);
                Slot::Primitive(field.kind, bits)
            });
        }
        slots
    }

    /// What a reference refers to. Takes the reference.
    fn slot(
        &mut self,
        jvm: Jvm,
        object: jobject,
        found: impl FnOnce() -> Found,
        scope: Scope,
    ) -> Slot {
        if object.is_null() {
            return Slot::Null;
        }
        let class = self.class_of(jvm, object);
        let described = self.classes.get(class);
        let name = described.name.clone();
        let slot = match described.nature {
            Nature::Text => Slot::text(&jvm.jni.text(object)),
            Nature::Class => {
                let shown = class_value(&jvm.jvmti.signature(object));
                Slot::Constant { class: name, name: shown.into() }
            }
            Nature::Boxed(kind, field) => {
                Slot::Primitive(kind, jvm.jni.primitive(object, field, kind, false))
            }
            Nature::Constant(field) => {
                let text = jvm.jni.reference(object, field, false);
                let shown = jvm.jni.text(text);
                jvm.jni.delete_local(text);
                Slot::Constant { class: name, name: shown.into() }
            }
            Nature::Array(_) | Nature::Plain => {
                let number = self.meet_of(jvm, object, class, found(), scope);
                Slot::Object { class: name, number }
            }
        };
        jvm.jni.delete_local(object);
        slot
    }

    fn class_of(&mut self, jvm: Jvm, object: jobject) -> ClassIndex {
        let class = jvm.jni.class_of(object);
        let index = self.classes.index(jvm.jvmti, jvm.jni, class);
        jvm.jni.delete_local(class);
        index
    }

    /// An object from which ways begin.
    fn keep(&mut self, jvm: Jvm, object: jobject, found: Found, scope: Scope) {
        let class = self.class_of(jvm, object);
        let number = self.meet_of(jvm, object, class, found, scope);
        if !self.kept.contains(&number) {
            self.kept.push(number);
        }
    }

    /// Frameworks keep their objects for ever; a thread that has ended is none.
    fn meet_kept(&mut self, jvm: Jvm) {
        for number in self.kept.clone() {
            let Some(known) = self.objects.get(&number) else { continue };
            if matches!(known.found, Found::Framework)
                && let Some(object) = jvm.jni.local(&known.object)
            {
                self.keep(jvm, object, Found::Framework, Scope::All);
                jvm.jni.delete_local(object);
            }
        }
    }

    /// The number of an object. It is looked at later, once a walk.
    fn meet_of(
        &mut self,
        jvm: Jvm,
        object: jobject,
        class: ClassIndex,
        found: Found,
        scope: Scope,
    ) -> u32 {
        let number = jvm.jvmti.tag(object) as u32;
        if let Some(known) = self.objects.get_mut(&number) {
            if scope == Scope::All && known.walk < self.walk {
                known.walk = self.walk;
                self.waiting.push(number);
            }
            return number;
        }
        self.last_number += 1;
        let number = self.last_number;
        let walk = if scope == Scope::All { self.walk } else { self.walk - 1 };
        jvm.jvmti.set_tag(object, number.into());
        let object = jvm.jni.weak(object);
        self.objects.insert(number, Known { object, class, found, contents: None, walk });
        self.waiting.push(number);
        number
    }

    fn look_at_waiting(&mut self, jvm: Jvm, scope: Scope) {
        while let Some(number) = self.waiting.pop() {
            self.look_at(jvm, number, scope);
        }
    }

    /// Objects that nothing leads to any more may still be changed by who has
    /// them, and come back, with all they lead to.
    fn look_at_unreachable(&mut self, jvm: Jvm) {
        let left = self.objects.iter().filter(|(_, known)| known.walk < self.walk);
        let mut left: Vec<u32> = left.map(|(&number, _)| number).collect();
        left.sort_unstable();
        for number in left {
            self.look_at(jvm, number, Scope::New);
        }
        self.look_at_waiting(jvm, Scope::New);
    }

    fn look_at(&mut self, jvm: Jvm, number: u32, scope: Scope) {
        let Some(known) = self.objects.get(&number) else { return };
        let class = known.class;
        let Some(object) = jvm.jni.local(&known.object) else {
            if let Some(gone) = self.objects.remove(&number) {
                jvm.jni.forget(gone.object);
            }
            return;
        };
        let now = self.read(jvm, object, number, class, scope);
        jvm.jni.delete_local(object);
        if let Some(before) = self.objects.get_mut(&number).and_then(|known| known.contents.take())
        {
            self.tell_differences(number, class, &before, &now);
        }
        if let Some(known) = self.objects.get_mut(&number) {
            known.contents = Some(Arc::new(now));
        }
    }

    fn read(
        &mut self,
        jvm: Jvm,
        object: jobject,
        number: u32,
        class: ClassIndex,
        scope: Scope,
    ) -> Contents {
        match self.classes.get(class).nature {
            Nature::Array(b'L') => {
                let length = jvm.jni.array_length(object);
                let elements = (0..length).map(|index| {
                    let element = jvm.jni.element(object, index);
                    self.slot(jvm, element, || Found::Element(number, index as u32), scope)
                });
                Contents::References(elements.collect())
            }
            Nature::Array(kind) => Contents::Primitives(kind, jvm.jni.elements(object, kind)),
            _ => {
                let fields = self.classes.get(class).fields.clone();
                let found =
                    |field: &Field| Found::Field(number, field.class.clone(), field.name.clone());
                Contents::Fields(self.read_fields(jvm, object, &fields, false, found, scope))
            }
        }
    }

    fn tell_differences(&mut self, object: u32, class: ClassIndex, old: &Contents, new: &Contents) {
        match (old, new) {
            (Contents::Fields(old), Contents::Fields(new)) => {
                let fields = self.classes.get(class).fields.clone();
                let both = fields.iter().zip(old).zip(new);
                for ((field, old), new) in both.filter(|((field, _), _)| !field.is_constant) {
                    let (class, name) = (field.class.to_string(), field.name.to_string());
                    let place = Place::Field { object, class, field: name };
                    self.tell_if_different(place, object, old, new);
                }
            }
            (Contents::References(old), Contents::References(new)) => {
                for (index, (old, new)) in (0..).zip(old.iter().zip(new)) {
                    let class = self.classes.get(class).name.to_string();
                    let place = Place::Element { object, class, index };
                    self.tell_if_different(place, object, old, new);
                }
            }
            (Contents::Primitives(kind, old), Contents::Primitives(_, new)) => {
                let size = width(*kind);
                let pairs = old.chunks(size).zip(new.chunks(size));
                for (index, (old, new)) in (0..).zip(pairs).filter(|(_, (old, new))| old != new) {
                    let class = self.classes.get(class).name.to_string();
                    let place = Place::Element { object, class, index };
                    let (old, new) = (element(*kind, old), element(*kind, new));
                    self.tell_if_different(place, object, &old, &new);
                }
            }
            // An object keeps its class.
            _ => {}
        }
    }

    fn tell_if_different(&mut self, place: Place, object: u32, old: &Slot, new: &Slot) {
        if old != new {
            let reachable = self.objects.get(&object).is_some_and(|known| known.walk == self.walk);
            let step = match &place {
                Place::Static { .. } => String::new(),
                Place::Field { class, field, .. } => format!(" -> {class}.{field}"),
                Place::Element { index, .. } => format!("[{index}]"),
            };
            let path = self.path(object) + &step;
            self.changed.push(change(place, path, reachable, old, new));
        }
    }

    /// How an object was found.
    pub(crate) fn path(&self, object: u32) -> String {
        let mut steps = Vec::new();
        let mut here = object;
        let root = loop {
            match self.objects.get(&here).map(|known| &known.found) {
                Some(Found::Static(class, field)) => break format!("{class}#{field}"),
                Some(Found::Thread(name)) => break format!("thread {name:?}"),
                Some(Found::Framework) => break "framework".into(),
                Some(Found::Field(parent, class, field)) => {
                    steps.push(format!(" -> {class}.{field}"));
                    here = *parent;
                }
                Some(Found::Element(parent, index)) => {
                    steps.push(format!("[{index}]"));
                    here = *parent;
                }
                // What led to it is gone.
                None => break "?".into(),
            }
        };
        steps.into_iter().rev().fold(root, |path, step| path + &step)
    }
}

fn change(place: Place, path: String, reachable: bool, old: &Slot, new: &Slot) -> Line {
    let (old, new) = (Seen::from(&old.value()), Seen::from(&new.value()));
    Line::Change(Change { place, path, reachable, old, new })
}
