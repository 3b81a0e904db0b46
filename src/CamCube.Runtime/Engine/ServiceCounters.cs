namespace CamCube.Runtime.Engine;

/// <summary>What one instance of a service counts.</summary>
internal sealed class ServiceCounters(ServiceView view) : IServerCounters
{
    public Counter Create(string name, string unit)
    {
        view.OnLoop("Counters.Create");
        return Keep(view.Slot.Counters, counter => counter.Name == name, () => new Counter(name, unit));
    }

    public LinkCounter CreatePerLink(string name, string unit)
    {
        view.OnLoop("Counters.CreatePerLink");
        return Keep(view.Slot.LinkCounters, counter => counter.Name == name, () => new LinkCounter(name, unit));
    }

    public LabelledCounter CreatePerLabel(string name, string unit, string label, int most)
    {
        view.OnLoop("Counters.CreatePerLabel");
        ArgumentOutOfRangeException.ThrowIfNegative(most);
        var counter = new LabelledCounter(name, unit, label, most);
        List<LabelledCounter> counters = view.Slot.LabelledCounters;
        lock (counters)
        {
            counters.RemoveAll(old => old.Name == name);
            counters.Add(counter);
        }

        return counter;
    }

    public ServerSummary Summarise() => StatusReader.Summarise(view.OnLoop("Counters.Summarise"));

    private static T Keep<T>(List<T> counters, Predicate<T> isIt, Func<T> create)
        where T : class
    {
        if (counters.Find(isIt) is { } old)
        {
            return old;
        }

        T counter = create();
        lock (counters)
        {
            // The only lock of a server: the status reader walks this list from outside; packets never come here.
            counters.Add(counter);
        }

        return counter;
    }
}
