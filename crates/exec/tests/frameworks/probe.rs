use crate::versions::*;
use crate::common::*;
use residue_test_support::Fixture;
fn show(title: &str, mut fixture: Fixture) {
    fixture.spec.selection.classes.retain(|c| !c.ends_with(".Product"));
    println!("##### {title}");
    let suite = listed(&fixture);
    for u in &suite.unlistable { println!("UNLISTABLE {} {:?}", u.class, u.failure.headline()); }
    let order = suite.default_order().unwrap();
    for (t, o) in [("default", order.clone()), ("reversed", order.reversed())] {
        let record = run(&fixture, &suite, request_for(o));
        println!("## {title} {t} deviated {:?} unrequested {:?}", record.deviated, record.unrequested);
        for f in &record.fixture_failures { println!("  FF {} {:?}", f.class, f.phase); }
        for r in &record.results { println!("  {} {}", r.test, r.outcome.kind().as_str()); }
    }
}
#[test]
fn probe() {
    let which = std::env::var("PROBE").unwrap_or_default();
    if which.contains('3') { for v in JUNIT3 { show(v, compile(&["junit3/src"], &[&junit3(v)])); }
      for v in ["4.5","4.13.2"] { show(&format!("junit3 on {v}"), compile(&["junit3/src","junit3/src-4.5"], &[&junit4(v)])); } }
    if which.contains('4') { for v in JUNIT4 { 
        let m = !["4.4","4.5","4.8.2"].contains(&v.0);
        let f: &[&str] = if m { &["junit4/src","junit4/src-4.11"] } else { &["junit4/src"] };
        show(v.0, compile(f, &[&junit4(v.0)])); } }
    if which.contains('5') { for v in JUPITER { show(v.0, compile(if v.0 == "5.14.4" || v.0 == "6.1.3" {&["jupiter/src","jupiter/src-5.13"]} else {&["jupiter/src"]}, &[&jupiter(v.0)])); } }
    if which.contains('t') { for v in TESTNG { show(v.0, compile(&["testng/src"], &[&testng(v.0)])); } }
}
