using CamCube.Services.Messenger;

namespace CamCube.Swarm.Determinism;

/// <summary>Messages of the scenarios: short and long ones and calls among all servers, as its random stream
/// says.</summary>
/// <param name="server">The server.</param>
/// <param name="messenger">Its messenger.</param>
[CamCubeService(0x7111, "drawn-messages")]
public sealed class DrawnMessages(IServer server, Dependency<IMessenger> messenger) : CamCubeService
{
    private const int LongestItem = 100_000,
        MeanGapMicros = 4_000,
        Windows = 4;

    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(20);
    private readonly Random _random = server.Random.Create("messages");
    private readonly ReadOnlyMemory<byte>[] _bytes = [new byte[LongestItem]];
    private IEndpoint? _endpoint;

    /// <inheritdoc/>
    public override void OnStart()
    {
        server.Loop.Run(ReceiveAsync);
        server.Loop.Run(SendAsync);
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _endpoint?.Dispose();

    private static string NameOf(Coordinate at) => $"drawn {at}";

    private TimeSpan Gap() => TimeSpan.FromMicroseconds(_random.Next(2 * MeanGapMicros));

    // Opens its endpoint, and again whenever that has ended: the messenger may begin anew.
    private async ValueTask ReceiveAsync()
    {
        while (await server.DelayAsync(TimeSpan.FromMilliseconds(1)))
        {
            if (
                messenger.IsAvailable
                && messenger.Value.TryOpen(NameOf(server.Coordinate), null, out _endpoint) == EndpointOpen.Ok
            )
            {
                for (int i = 0; i < Windows && messenger.Value.TryRentWindow(LongestItem, out Window? window); i++)
                {
                    _endpoint!.PostWindow(window);
                }
            }

            while (_endpoint is { } endpoint && await endpoint.WaitAsync())
            {
                while (endpoint.TryReceive(out Message? message))
                {
                    Take(endpoint, message);
                }
            }
        }
    }

    private static void Take(IEndpoint endpoint, Message message)
    {
        if (message.IsCall)
        {
            endpoint.TryAnswer(message, 0, message.Count > 0 ? message[0] : default);
        }

        Window? window = message.IsLong ? message.WindowOf(0) : null;
        message.Release();
        if (window is not null)
        {
            endpoint.PostWindow(window);
        }
    }

    private async ValueTask SendAsync()
    {
        while (await server.DelayAsync(Gap()))
        {
            if (_endpoint is not { State: EndpointState.Owned } endpoint)
            {
                continue;
            }

            var to = EndpointId.OfName(NameOf(server.Shape.At(_random.Next(server.Shape.Count))));
            switch (_random.Next(4))
            {
                case 0:
                    _bytes[0] = new byte[_random.Next(1, LongestItem)];
                    await endpoint.SendAsync(to, 0, _bytes, Patience);
                    break;
                case 1:
                    _bytes[0] = new byte[_random.Next(100)];
                    (await endpoint.CallAsync(to, 0, _bytes, Patience)).Dispose();
                    break;
                default:
                    endpoint.TrySend(to, 0, _bytes[0].Span[.._random.Next(Math.Min(100, _bytes[0].Length + 1))]);
                    break;
            }
        }
    }
}
