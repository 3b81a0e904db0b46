namespace CamCube.Services.Messenger.Tests;

/// <summary>A service that uses the messenger of its server: answers at <c>talker@rank</c>, and asks others in a loop.
/// </summary>
[CamCubeService(0x0779, "talker")]
public sealed class Talker(IServer server, Dependency<IMessenger> messenger) : CamCubeService
{
    private readonly byte[] _bytes = new byte[100];
    private readonly Window _window = new(new byte[100]);

    public IEndpoint? Endpoint { get; private set; }

    public int Answered { get; private set; }

    public int Failed { get; private set; }

    /// <summary>Whom it calls; null: nobody.</summary>
    public EndpointId? Asked { get; set; }

    /// <summary>Whom it sends to, without an answer; null: nobody.</summary>
    public EndpointId? SentTo { get; set; }

    public int Received { get; private set; }

    public bool LendsWindow { get; set; }

    public override void OnStart() => server.Loop.Run(StartAsync);

    public override void OnStop(StopReason reason) => Endpoint?.Dispose();

    private async ValueTask StartAsync()
    {
        await server.DelayAsync(TimeSpan.FromMilliseconds(1));
        var options = new EndpointOptions { Lifetime = server.Stopping, Patience = TimeSpan.FromMinutes(1) };
        string name = $"talker@{server.Shape.RankOf(server.Coordinate)}";
        Assert.Equal(EndpointOpen.Ok, messenger.Value.TryOpen(name, options, out IEndpoint? endpoint));
        Endpoint = endpoint;
        server.Loop.Run(ServeAsync);
        server.Loop.Run(AskAsync);
    }

    private async ValueTask ServeAsync()
    {
        while (await Endpoint!.WaitAsync())
        {
            while (Endpoint.TryReceive(out Message? message))
            {
                Received++;
                if (message.IsCall)
                {
                    Endpoint.TryAnswer(message, 1, message[0]);
                }

                message.Release();
            }
        }
    }

    private async ValueTask AskAsync()
    {
        ReadOnlyMemory<byte>[] items = [_bytes];
        Window[] none = [],
            lent = [_window];
        while (await server.DelayAsync(TimeSpan.FromMicroseconds(100)))
        {
            if (SentTo is { } receiver)
            {
                Endpoint!.TrySend(receiver, 0, _bytes);
                Endpoint.TrySend(receiver, 0, items);
            }

            if (Asked is { } asked)
            {
                using CallAnswer answer = await Endpoint!.CallAsync(
                    asked,
                    1,
                    items,
                    LendsWindow ? lent : none,
                    TimeSpan.FromSeconds(1)
                );
                Answered += answer.IsAnswered ? 1 : 0;
                Failed += answer.IsAnswered ? 0 : 1;
            }
        }
    }
}
