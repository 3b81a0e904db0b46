using System.Diagnostics;
using CamCube.Services.Messenger;

namespace CamCube.Benchmarks.Streams;

/// <summary>The messages of the benchmark: an endpoint on each server, which answers a call with what it got.</summary>
[CamCubeService(0x7151, "message-traffic")]
internal sealed class MessageTraffic(IServer server, Dependency<IMessenger> messenger) : CamCubeService
{
    private IEndpoint? _endpoint;

    public override void OnStart() => server.Loop.Run(ServeAsync);

    public override void OnStop(StopReason reason) => _endpoint?.Dispose();

    /// <summary>Calls one after the other, in nanoseconds, in order of their length.</summary>
    public async ValueTask<long[]> PingAsync(Coordinate to, int count, int size)
    {
        EndpointId peer = EndpointId.OfName(NameOf(to));
        ReadOnlyMemory<byte>[] items = [new byte[size]];
        var times = new List<long>(count);
        for (int i = 0; times.Count < count; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            using CallAnswer answer = await _endpoint!.CallAsync(peer, 0, items, TimeSpan.FromSeconds(1));
            if (answer.IsAnswered)
            {
                times.Add((Stopwatch.GetTimestamp() - begin) * (1_000_000_000 / Stopwatch.Frequency));
            }
            else if (i > count + 100)
            {
                throw new InvalidOperationException($"{to} does not answer: {answer.Status}");
            }
        }

        return [.. times.Order()];
    }

    private static string NameOf(Coordinate server) => $"echo@{server}";

    private async ValueTask ServeAsync()
    {
        while (_endpoint is null && await server.DelayAsync(TimeSpan.FromMilliseconds(10)))
        {
            if (messenger.IsAvailable)
            {
                messenger.Value.TryOpen(NameOf(server.Coordinate), new EndpointOptions(), out _endpoint);
            }
        }

        while (_endpoint is not null && await _endpoint.WaitAsync())
        {
            while (_endpoint.TryReceive(out Message? message))
            {
                _endpoint.TryAnswer(message, 0, message[0]);
                message.Release();
            }
        }
    }
}
