package residue.runner;

import java.util.HashMap;
import java.util.Map;

/** Makes the steps of one level differ where a framework gives several children the same name. */
public final class StepNames {
    private final Map<String, Integer> seen = new HashMap<String, Integer>();

    public String unique(String name) {
        String step = name.replace('\n', ' ').replace('\0', ' ');
        Integer times = seen.get(step);
        seen.put(step, times == null ? 1 : times + 1);
        return times == null ? step : step + "~" + (times + 1);
    }
}
