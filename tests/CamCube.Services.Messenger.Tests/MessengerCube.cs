using System.Text;
using CamCube.Runtime;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Services.Messenger.Tests;

/// <summary>A test cube with the messenger on every server, and the calls of tests in short form.</summary>
internal sealed class MessengerCube : IDisposable
{
    public static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    public MessengerCube(
        int x,
        int y,
        int z,
        MessengerOptions? options = null,
        SimulatorOptions? simulator = null,
        bool hasOwnEndpoints = false,
        ServerOptions? server = null
    )
    {
        Options = options ?? new MessengerOptions();
        Options.HasOwnEndpoint = hasOwnEndpoints;
        Cube = new TestCube(x, y, z, simulator, server).Add(s => new MessengerService(s, Options));
    }

    public TestCube Cube { get; }

    public MessengerOptions Options { get; }

    public MessengerService this[Coordinate server] => Cube[server].Service<MessengerService>();

    public MessengerService this[int rank] => Cube[rank].Service<MessengerService>();

    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    public static string Text(ReadOnlySpan<byte> bytes) => Encoding.UTF8.GetString(bytes);

    /// <summary>Of a task that has ended.</summary>
    public static T ResultOf<T>(Task<T> ended) =>
        ended.IsCompleted ? ended.GetAwaiter().GetResult() : throw new InvalidOperationException("It goes on.");

    /// <summary>A name whose root is this server.</summary>
    public string NameAt(Coordinate root, string stem = "name")
    {
        for (int i = 0; ; i++)
        {
            string name = $"{stem}-{i}";
            if (EndpointId.OfName(name).ToKey().HomeIn(Cube.Shape) == root)
            {
                return name;
            }
        }
    }

    /// <summary>Opens an endpoint and waits for its name.</summary>
    public IEndpoint Open(Coordinate at, string name, EndpointOptions? options = null)
    {
        IEndpoint endpoint = Begin(at, name, options);
        Assert.True(Cube.Await(endpoint.OwnedAsync()), $"{name} at {at}: {endpoint.State}");
        return endpoint;
    }

    /// <summary>Opens an endpoint.</summary>
    public IEndpoint Begin(Coordinate at, string name, EndpointOptions? options = null)
    {
        Assert.Equal(EndpointOpen.Ok, this[at].TryOpen(name, options, out IEndpoint? endpoint));
        return endpoint!;
    }

    /// <summary>Waits for the next message, and gives it back.</summary>
    public string Receive(IEndpoint endpoint)
    {
        Cube.AwaitUntil(() => endpoint.Waiting > 0, $"{endpoint.Name} received nothing");
        Assert.True(endpoint.TryReceive(out Message? message));
        string text = string.Join('|', Enumerable.Range(0, message.Count).Select(i => Text(message[i])));
        message.Release();
        return text;
    }

    /// <summary>Ends a test: nothing is left but what is open.</summary>
    public void AssertNothingLeft(int endpoints = 0)
    {
        Cube.Lose = null;
        Cube.Advance(TimeSpan.FromSeconds(3));
        int open = 0;
        for (int rank = 0; rank < Cube.Shape.Count; rank++)
        {
            if (!Cube[rank].IsRunning)
            {
                continue;
            }

            MessengerService messenger = this[rank];
            open += messenger.Left.Endpoints;
            Assert.Equal(
                (0, 0, 0, 0, 0),
                (
                    messenger.Left.Leaving,
                    messenger.Left.Waiting,
                    messenger.Left.Calls,
                    messenger.Left.Long,
                    messenger.Left.Streams
                )
            );
            Assert.Equal((0, 0, 0), (messenger.Pool.Used, messenger.WindowPool.Rented, messenger.Calls.Handles));
            Assert.Equal(
                (0, 0L, 0L),
                (
                    messenger.StreamEndpoint.Streams,
                    messenger.StreamEndpoint.SendBytes,
                    messenger.StreamEndpoint.ReceiveBytes
                )
            );
        }

        Assert.Equal(endpoints, open);
        Cube.AssertQuiet();
    }

    public void Dispose() => Cube.Dispose();
}
