package org.junit.platform.launcher;

import org.junit.platform.engine.EngineDiscoveryRequest;

public interface LauncherDiscoveryRequest extends EngineDiscoveryRequest {}
