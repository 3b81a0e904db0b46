namespace CamCube.Runtime.Engine;

/// <summary>What one instance of a service counts.</summary>
internal sealed class ServiceCounters(ServiceView view) : IServerCounters
{
    public Counter Create(string name, string unit)
    {
        view.OnLoop("Counters.Create");
        foreach (Counter old in view.Slot.Counters)
        {
            if (old.Name == name)
            {
                return old;
            }
        }

        var counter = new Counter(name, unit);
        lock (view.Slot.Counters)
        {
            // The only lock of a server: the status reader walks this list from outside; packets never come here.
            view.Slot.Counters.Add(counter);
        }

        return counter;
    }

    public LinkCounter CreatePerLink(string name, string unit)
    {
        view.OnLoop("Counters.CreatePerLink");
        foreach (LinkCounter old in view.Slot.LinkCounters)
        {
            if (old.Name == name)
            {
                return old;
            }
        }

        var counter = new LinkCounter(name, unit);
        lock (view.Slot.LinkCounters)
        {
            view.Slot.LinkCounters.Add(counter);
        }

        return counter;
    }

    public ServerSummary Summarise() => StatusReader.Summarise(view.OnLoop("Counters.Summarise"));
}
