using CamCube.Runtime.Services;

namespace CamCube.Swarm.Streams;

/// <summary>Streams among the servers of one cube: what all instances of the service share.</summary>
/// <param name="settings">What is done.</param>
/// <param name="ledger">Who compares both sides of every stream: where one thread drives the cube. Null: each side only
/// looks at its bytes.</param>
public sealed class StreamTraffic(StreamSettings settings, StreamLedger? ledger)
{
    /// <summary>What is done.</summary>
    public StreamSettings Settings => settings;

    /// <summary>Who compares both sides.</summary>
    public StreamLedger? Ledger => ledger;

    /// <summary>Whether streams are opened. To be changed between advances.</summary>
    public bool IsOn { get; set; } = true;

    /// <summary>The service of every server.</summary>
    public ServiceDefinition Define() => ServiceDefinition.Of(a => new StreamTrafficService(a.Server, this));

    /// <summary>The same with a planted bug: it forgets to send something again that was lost.</summary>
    public ServiceDefinition DefineForgetful() => In(a => new ForgetfulStreamService(a.Server, this));

    /// <summary>The same with a planted bug: it takes what another run of its peer sends for that of the one that it
    /// knows.</summary>
    public ServiceDefinition DefineAnyRun() => In(a => new AnyRunStreamService(a.Server, this));

    private ServiceDefinition In(Func<ServiceActivation, StreamTrafficService> create)
    {
        ServiceDefinition good = Define();
        return new ServiceDefinition
        {
            Id = good.Id,
            Name = good.Name,
            HeaderLength = good.HeaderLength,
            OnFault = good.OnFault,
            Create = create,
        };
    }
}
