using CamCube.Runtime.Engine;
using CamCube.Runtime.Gates;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Hosts;

/// <summary>
/// Tries whether services can be made and started, beside the servers that run: at a server of their own in virtual
/// time, whose cables lose everything and which has neither files nor threads. What they do there is forgotten.
/// </summary>
public static class ServiceTrial
{
    /// <summary>Makes and starts them on the calling thread, which does not come back from a constructor that
    /// hangs.</summary>
    /// <param name="shape">Axis sizes of the cube.</param>
    /// <param name="place">The server that they think they are on.</param>
    /// <param name="options">Settings of the servers.</param>
    /// <param name="services">The services. What they ask for of others is not there: one that throws for that reason
    /// passes.</param>
    /// <returns>Null, or the type and text of what the first of them threw, with its name; one line.</returns>
    public static string? Run(
        TorusShape shape,
        Coordinate place,
        ServerOptions options,
        IReadOnlyList<ServiceDefinition> services
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(services);
        Faults faults = new();
        CubeContext context = new()
        {
            Shape = shape,
            Options = new ServerOptions
            {
                HopLimit = options.HopLimit,
                PacketBudget = options.PacketBudget,
                Memory = new MemoryOptions
                {
                    ServerLimit = options.Memory.ServerLimit ?? long.MaxValue,
                    ServiceLimit = options.Memory.ServiceLimit,
                },
                Work = options.Work,
                Liveness = options.Liveness,
            },
            Events = faults,
            Services = services,
            Seed = 1,
            EpochUnixMicros = 0,
            IsVirtual = true,
            ServerCount = 1,
        };
        using HotArray hot = new(1);
        ServerGate gate = new(context.Inbox, place, shape, options.GateLimit);
        ServerRuntime server = new(context, shape.RankOf(place), hot.Pointer(0), gate, 1, commissioned: true);
        NoCables cables = new(new StepMachine(server));
        SynchronizationContext? before = SynchronizationContext.Current;
        try
        {
            ServerLifecycle.Start(server, cables, 0);
            return faults.First;
        }
        finally
        {
            ServerLifecycle.Stop(server, null);
            context.Inbox.Close();
            context.Close();
            SynchronizationContext.SetSynchronizationContext(before);
        }
    }

    /// <summary>What was thrown.</summary>
    private sealed class Faults : IServerEvents
    {
        public string? First { get; private set; }

        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
        {
            if (exception is not ServiceUnavailableException)
            {
                First ??= $"{service} threw {CommandText.Of(exception)}";
            }
        }

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }

    /// <summary>Cables that lose everything.</summary>
    private sealed class NoCables(StepMachine machine) : LinkDriver
    {
        public override int MaxFrameLength => 1_514;

        public override long Transmit(Link link, Packet packet, long now)
        {
            machine.Port.Lose(packet);
            return now;
        }
    }
}
