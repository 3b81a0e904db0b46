using CamCube.Experiments.Moves;
using CamCube.Runtime.Services;
using CamCube.Services.Messenger;
using CamCube.Services.Workloads.Messages;
using CamCube.Testing;

namespace CamCube.Experiments.Tests.Moves;

/// <summary>The cube of the part moves of libripc in virtual time.</summary>
internal sealed class VirtualMovesCube : IMovesCube, IDisposable
{
    public VirtualMovesCube(TorusShape shape) =>
        Cube = new TestCube(shape)
            .Add(ServiceDefinition.Of(a => new MessengerService(a.Server, new MessengerOptions())))
            .Add(ServiceDefinition.Of(a => new RoamingService(a.Server, a.Dependency<IMessenger>())));

    public TestCube Cube { get; }

    public TorusShape Shape => Cube.Shape;

    public long NowNanos => Cube.NowNanos;

    public string Tell(int rank, string service, string order)
    {
        string[] parts = order.Split('?', 2);
        (string, string)[] arguments =
        [
            .. (parts is [_, var text] ? text.Split('&') : []).Select(pair =>
                (pair.Split('=')[0], pair.Split('=', 2)[1])
            ),
        ];
        CommandResult result = Cube.Await(
            Cube[rank].Gate.RunCommandAsync(CommandCall.Of(service, parts[0], arguments))
        );
        Assert.True(result.IsOk, $"{service} {order}: {result.Text}");
        return result.Text;
    }

    public void Sleep(TimeSpan time) => Cube.Advance(time);

    public void Kill(int rank) => Cube.Kill(Shape.At(rank));

    public void Restart(int rank)
    {
        Cube.Revive(Shape.At(rank));
        Cube.AwaitConverged();
    }

    public void Dispose() => Cube.Dispose();
}
