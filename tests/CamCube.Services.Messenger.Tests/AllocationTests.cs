using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Services.Messenger.Tests;

/// <summary>What short messages and calls allocate: nothing, once all pools are filled.</summary>
[Collection(nameof(Alone))]
public sealed class AllocationTests
{
    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int Allowed = 4_096;
#else
    private const int Allowed = 0;
#endif

    [Theory]
    [InlineData(true, false, false, 1)]
    [InlineData(false, true, false, 1)]
    [InlineData(false, true, true, 1)]
    [InlineData(true, true, true, 0)]
    public void Short_messages_and_calls_allocate_nothing(bool sends, bool calls, bool lends, int to)
    {
        using TestCube cube = new TestCube(3, 1, 1)
            .Add(ServiceDefinition.Of(a => new MessengerService(a.Server, new MessengerOptions())))
            .Add(ServiceDefinition.Of(a => new Talker(a.Server, a.Dependency<IMessenger>())));
        cube.Advance(TimeSpan.FromSeconds(1));
        Talker from = cube[0].Service<Talker>();
        EndpointId other = EndpointId.OfName($"talker@{to}");
        (from.SentTo, from.Asked, from.LendsWindow) = (sends ? other : null, calls ? other : null, lends);

        // Renewals of names, once in 5 s, are in it: they allocate nothing either.
        cube.Advance(TimeSpan.FromSeconds(8));
        int answered = from.Answered,
            received = cube[to].Service<Talker>().Received;
        long before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(200));
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        int number = cube[to].Service<Talker>().Received - received;
        Assert.InRange(number, 500, int.MaxValue);
        Assert.True(!calls || from.Answered - answered > 500);
        Assert.Equal(0, from.Failed);
        Assert.InRange(bytes / number, 0, Allowed);
    }
}
