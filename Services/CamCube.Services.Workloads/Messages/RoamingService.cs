using System.Globalization;
using CamCube.Services.Messenger;

namespace CamCube.Services.Workloads.Messages;

/// <summary>
/// Endpoints that move, and crowds that send to them (LibRIPC §5.4.2): every server counts what came to its endpoints,
/// and what it sent, by numbers, so that whoever asks all of them knows what was lost, doubled, or given to another.
/// Each server has one endpoint that stays, which gets a part of what is sent. Not loaded unless the configuration
/// names it. Commands: <c>open</c>, <c>move</c>, <c>send</c>, <c>clock</c>, <c>report</c>. On the server's loop.
/// </summary>
[CamCubeService(0x0107, "roaming")]
public sealed class RoamingService(IServer server, Dependency<IMessenger> messenger) : CamCubeService, IServiceCommands
{
    private static readonly TimeSpan Patience = TimeSpan.FromHours(1),
        Pause = TimeSpan.FromMilliseconds(10);
    private readonly List<RoamingOpening> _openings = [];
    private readonly List<RoamingSender> _senders = [];
    private readonly List<LossReport> _losses = [];

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<RoamingOpenArguments, CommandResult>(
                "open",
                "Opens an endpoint, and counts what comes to it.",
                (arguments, _) => new(Open(arguments)),
                changes: true
            ),
            ServiceCommand.Of<RoamingMoveArguments, CommandResult>(
                "move",
                "Moves an endpoint to a server where one of its name waits.",
                MoveAsync,
                changes: true
            ),
            ServiceCommand.Of<RoamingSendArguments, CommandResult>(
                "send",
                "Sends to an endpoint from others here.",
                (arguments, _) => new(Send(arguments)),
                changes: true
            ),
            ServiceCommand.Of("clock", "This server's time in nanoseconds.", _ => new ValueTask<long>(server.NowNanos)),
            ServiceCommand.Of<RoamingReportArguments, RoamingReport>(
                "report",
                "What came, what was sent, and which servers were lost.",
                (arguments, _) => new(Report(arguments))
            ),
        ];

    /// <summary>Name of the endpoint of a server that stays.</summary>
    public static string StayingAt(Coordinate server) => $"staying@{server}";

    /// <summary>A name, the root of whose key is this server while all run.</summary>
    public static string NameAt(TorusShape shape, Coordinate root)
    {
        for (int i = 0; ; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"roaming-{i}");
            if (EndpointId.OfName(name).ToKey().HomeIn(shape) == root)
            {
                return name;
            }
        }
    }

    /// <inheritdoc/>
    public override void OnStart() => server.Loop.Run(StayAsync);

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        foreach (RoamingOpening opening in _openings)
        {
            opening.Endpoint.Dispose();
        }
    }

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        if (change.Event == TopologyEvent.ServerLost)
        {
            _losses.Add(new LossReport(server.Shape.RankOf(change.Server), server.NowNanos));
        }
    }

    private async ValueTask StayAsync()
    {
        while (!messenger.IsAvailable && await server.DelayAsync(Pause)) { }

        TryOpen(StayingAt(server.Coordinate), new EndpointOptions { Patience = Patience });
    }

    private EndpointOpen TryOpen(string name, EndpointOptions options)
    {
        if (!messenger.IsAvailable)
        {
            return EndpointOpen.Closed;
        }

        EndpointOpen result = messenger.Value.TryOpen(name, options, out IEndpoint? endpoint);
        if (result == EndpointOpen.Ok)
        {
            var opening = new RoamingOpening(server, endpoint!);
            _openings.Add(opening);
            server.Loop.Run(opening.ServeAsync);
        }

        return result;
    }

    private CommandResult Open(RoamingOpenArguments arguments)
    {
        // One that has ended makes room for the next of its name.
        foreach (RoamingOpening ended in _openings.Where(o => o.Endpoint.State > EndpointState.Owned))
        {
            ended.Endpoint.Dispose();
        }

        EndpointOpen result = TryOpen(
            arguments.Name,
            new EndpointOptions
            {
                IsStandby = arguments.Standby,
                Patience = arguments.Patience,
                ReceiveBuffers = arguments.Buffers,
            }
        );
        return result == EndpointOpen.Ok
            ? CommandResult.Done
            : CommandResult.Refused($"name={arguments.Name} cannot be opened here: {result}.");
    }

    private async ValueTask<CommandResult> MoveAsync(RoamingMoveArguments arguments, CommandContext context)
    {
        RoamingOpening? opening = _openings.LastOrDefault(o =>
            o.Endpoint.Name == arguments.Name && o.Endpoint.State == EndpointState.Owned
        );
        if (opening is null)
        {
            return CommandResult.Refused($"name={arguments.Name} is not the name of an endpoint here.");
        }

        long began = server.NowNanos;
        MoveStatus status = await opening.Endpoint.MoveToAsync(arguments.To, arguments.Timeout);
        return CommandResult.Of(new MoveReport(status.ToString().ToLowerInvariant(), server.NowNanos - began));
    }

    private CommandResult Send(RoamingSendArguments arguments)
    {
        if (!EndpointId.TryOfName(arguments.To, out EndpointId to))
        {
            return CommandResult.Refused($"to={arguments.To} is no name of an endpoint.");
        }

        for (int i = 0; i < arguments.Count && arguments.For > TimeSpan.Zero; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"sender-{_senders.Count}@{server.Coordinate}");
            if (
                !messenger.IsAvailable
                || messenger.Value.TryOpen(
                    name,
                    new EndpointOptions { Lifetime = server.Stopping },
                    out IEndpoint? endpoint
                ) != EndpointOpen.Ok
            )
            {
                return CommandResult.Refused("The messenger is not there, or has no room.");
            }

            int id = (server.Shape.RankOf(server.Coordinate) << 12) + _senders.Count;
            var sender = new RoamingSender(server, messenger.Value, endpoint!, id, to)
            {
                IsHostile = arguments.Hostile,
            };
            _senders.Add(sender);
            long until = server.NowNanos + (long)arguments.For.TotalNanoseconds;
            server.Loop.Run(() => sender.RunAsync(arguments.Every, until));
        }

        return CommandResult.Done;
    }

    private RoamingReport Report(RoamingReportArguments arguments) =>
        new(
            server.NowNanos,
            [.. _openings.Select(opening => opening.Report(arguments.Numbers))],
            [
                .. _senders.Select(sender =>
                    sender.Report(arguments.From, arguments.Until == 0 ? long.MaxValue : arguments.Until)
                ),
            ],
            [.. _losses]
        );
}
