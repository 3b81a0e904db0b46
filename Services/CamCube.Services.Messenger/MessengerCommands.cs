using System.Buffers.Binary;
using CamCube.Services.Messenger.Commands;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger;

/// <summary>What can be asked of the messenger from outside. Loop only.</summary>
internal sealed class MessengerCommands(IServer server, MessengerService messenger, OwnEndpoint own)
{
    private static readonly TimeSpan LookTime = TimeSpan.FromMilliseconds(10);

    public IReadOnlyList<ServiceCommand> Commands { get; } =
    [
        ServiceCommand.Of<EndpointsArguments, CommandResult>(
            "endpoints",
            "Endpoints of the cube, or of this server, with their numbers.",
            (arguments, context) => EndpointsAsync(server, messenger, own, arguments, context)
        ),
        ServiceCommand.Of<PingArguments, CommandResult>(
            "ping",
            "Calls the messenger of another server, by short messages or into lent windows.",
            (arguments, context) => PingAsync(server, messenger, own, arguments, context)
        ),
    ];

    private static async ValueTask<CommandResult> EndpointsAsync(
        IServer server,
        MessengerService messenger,
        OwnEndpoint own,
        EndpointsArguments arguments,
        CommandContext context
    )
    {
        List<EndpointRow> rows = [];
        for (int rank = 0; rank < server.Shape.Count; rank++)
        {
            Coordinate at = server.Shape.At(rank);
            if (at == server.Coordinate)
            {
                rows.AddRange(messenger.List().Select(n => EndpointRow.Of(at, n)));
            }
            else if (arguments.Of == EndpointsOf.Cube && server.Topology.IsReachable(at))
            {
                await AddAsync(rows, own.Endpoint, at, arguments.Timeout, context.Cancel);
            }
        }

        context.Cancel.ThrowIfCancellationRequested();
        rows.Sort(static (a, b) => string.CompareOrdinal(a.Name, b.Name));
        return CommandResult.Of(rows);
    }

    // What fits into a packet, then the rest.
    private static async ValueTask AddAsync(
        List<EndpointRow> rows,
        IEndpoint? own,
        Coordinate at,
        TimeSpan timeout,
        CancellationToken cancel
    )
    {
        int read = 0,
            all = 1;
        while (own is not null && read < all)
        {
            byte[] first = new byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(first, read);
            using CallAnswer answer = await own.CallAsync(
                OwnEndpoint.IdOf(at),
                OwnEndpoint.List,
                [first],
                timeout,
                cancel
            );
            int before = read;
            if (answer.Message is { Count: 1 } message && message[0].Length >= sizeof(int))
            {
                ReadOnlySpan<byte> bytes = message[0];
                all = BinaryPrimitives.ReadInt32LittleEndian(bytes);
                bytes = bytes[sizeof(int)..];
                while (NumbersRecord.TryRead(ref bytes, out EndpointNumbers numbers))
                {
                    rows.Add(EndpointRow.Of(at, numbers));
                    read++;
                }
            }

            if (read == before)
            {
                return;
            }
        }
    }

    private static async ValueTask<CommandResult> PingAsync(
        IServer server,
        MessengerService messenger,
        OwnEndpoint own,
        PingArguments arguments,
        CommandContext context
    )
    {
        int room = messenger.ShortRoom(1);
        if (!server.Shape.Contains(arguments.To))
        {
            return CommandResult.Refused($"to={arguments.To} is outside of {server.Shape}.");
        }

        if (arguments.To == server.Coordinate)
        {
            return CommandResult.Refused($"to={arguments.To} is this very server; name another.");
        }

        if (!arguments.Long && arguments.Size > room)
        {
            return CommandResult.Refused(
                $"size={arguments.Size} is more than the {room} bytes of a short message here; add long=true."
            );
        }

        // A server that has just started has asked for its endpoint, and not been answered.
        long untilNanos = server.NowNanos + (long)arguments.Timeout.TotalNanoseconds;
        while (
            own.Endpoint is not { State: EndpointState.Owned }
            && server.NowNanos < untilNanos
            && !context.Cancel.IsCancellationRequested
            && await server.DelayAsync(LookTime)
        ) { }

        if (own.Endpoint is not { State: EndpointState.Owned } endpoint)
        {
            return CommandResult.Refused("The messenger of this server has no endpoint yet; try again.");
        }

        Window? window = null;
        if (arguments.Long && !messenger.TryRentWindow(arguments.Size, out window))
        {
            return CommandResult.Refused($"There is no memory for a window of {arguments.Size} bytes here.");
        }

        byte[] item = new byte[arguments.Long ? sizeof(int) : arguments.Size];
        if (arguments.Long)
        {
            BinaryPrimitives.WriteInt32LittleEndian(item, arguments.Size);
        }

        List<PingReply> replies = [];
        for (int i = 0; i < arguments.Count && !context.Cancel.IsCancellationRequested; i++)
        {
            replies.Add(await PingAsync(server, endpoint, arguments, item, window, context.Cancel));
        }

        if (window is not null)
        {
            messenger.ReturnWindow(window);
        }

        context.Cancel.ThrowIfCancellationRequested();
        return CommandResult.Of(
            new PingResult($"{server.Coordinate}", $"{arguments.To}", arguments.Size, arguments.Long, replies)
        );
    }

    private static async ValueTask<PingReply> PingAsync(
        IServer server,
        IEndpoint endpoint,
        PingArguments arguments,
        byte[] item,
        Window? window,
        CancellationToken cancel
    )
    {
        long began = server.NowNanos;
        using CallAnswer answer = await endpoint.CallAsync(
            OwnEndpoint.IdOf(arguments.To),
            arguments.Long ? OwnEndpoint.Fill : OwnEndpoint.Echo,
            [item],
            window is null ? [] : [window],
            arguments.Timeout,
            cancel
        );
        bool isWhole = answer.Message is { Count: 1 } message && message[0].Length == arguments.Size;
        return new PingReply(
            isWhole,
            answer.Status.ToString().ToLowerInvariant(),
            isWhole ? (server.NowNanos - began) / 1e3 : 0
        );
    }
}
