using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace CamCube.Abstractions.Tests;

public sealed class LoopMethodTests
{
    private const int Crowd = 200;
    private readonly AsyncLocal<string?> _flowing = new();

    [Fact]
    public void Methods_that_await_each_other_take_one_turn_of_their_context()
    {
        using var loop = new Loop();
        var gate = new Gate();
        ValueTask<int> running = Five(gate);
        Assert.False(running.IsCompleted);
        gate.Open(7);
        Assert.Equal(0, loop.Posts);
        Assert.Equal(12, ResultOf(running));
    }

    [Fact]
    public void Who_awaits_in_another_context_goes_on_there()
    {
        using var theirs = new Loop();
        var gate = new Gate();
        SynchronizationContext? seen = null;
        ValueTask waiting = See();
        using (var ours = new Loop())
        {
            gate.Open(1);
            Assert.Null(seen);
            Assert.Equal(0, ours.Posts);
        }

        Assert.Equal(1, theirs.Run());
        Assert.True(waiting.IsCompletedSuccessfully);
        Assert.Same(theirs, seen);

        [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
        async ValueTask See()
        {
            await Five(gate);
            seen = SynchronizationContext.Current;
        }
    }

    [Fact]
    public void What_ends_on_another_thread_comes_back_by_the_context()
    {
        using var loop = new Loop();
        for (int i = 0; i < 200; i++)
        {
            var gate = new Gate();
            int at = 0;
            ValueTask waiting = See();
            var other = new Thread(() => gate.Open(1));
            other.Start();
            other.Join();
            Assert.Equal(0, at);
            Assert.Equal(1, loop.Run());
            Assert.True(waiting.IsCompletedSuccessfully);
            Assert.Equal(Environment.CurrentManagedThreadId, at);

            [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
            async ValueTask See()
            {
                await Five(gate);
                at = Environment.CurrentManagedThreadId;
            }
        }
    }

    [Fact]
    public void A_result_is_taken_once_and_not_before_the_end()
    {
        var gate = new Gate();
        ValueTask<int> first = Five(gate);
        Assert.Throws<InvalidOperationException>(() => ResultOf(first));
        Assert.False(first.IsCompleted);
        gate.Open(1);
        Assert.Equal(6, ResultOf(first));

        // The same object is the next call's; who still has the first one's task has no part in it.
        var again = new Gate();
        ValueTask<int> second = Five(again);
        Assert.Throws<InvalidOperationException>(() => ResultOf(first));
        Assert.Throws<InvalidOperationException>(() => first.IsCompleted);
        Assert.Throws<InvalidOperationException>(() =>
            first.GetAwaiter().OnCompleted(() => Assert.Fail("It goes on."))
        );
        again.Open(2);
        Assert.Equal(7, ResultOf(second));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_thrown_is_told_to_who_awaits(bool waits)
    {
        using var loop = new Loop();
        var gate = new Gate();
        ValueTask<int> running = Outer();
        gate.Open(1);
        Assert.Equal("1", Assert.Throws<TimeoutException>(() => ResultOf(running)).Message);
        Assert.Equal(0, loop.Posts);

        [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
        async ValueTask<int> Outer() => await Inner() + 1;

        [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
        async ValueTask<int> Inner()
        {
            int value = waits ? await Five(gate) - 5 : 1;
            throw new TimeoutException(value.ToString(CultureInfo.InvariantCulture));
        }
    }

    [Fact]
    public void What_flows_with_a_call_is_its_own()
    {
        var gate = new Gate();
        _flowing.Value = "outside";
        ValueTask<string?> running = Call();
        Assert.Equal("outside", _flowing.Value);
        _flowing.Value = "another";
        gate.Open(1);
        gate.Open(1);
        Assert.Equal("inside, inside", ResultOf(running));
        Assert.Equal("another", _flowing.Value);

        [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
        async ValueTask<string?> Call()
        {
            _flowing.Value = "inside";
            await Five(gate);
            string? first = _flowing.Value;
            await Five(gate);
            return first + ", " + _flowing.Value;
        }
    }

    [Fact]
    public void A_continuation_that_comes_when_it_has_ended_is_posted()
    {
        using var loop = new Loop();
        var gate = new Gate();
        ValueTask<int> running = Five(gate);
        gate.Open(1);
        int seen = 0;
        running.GetAwaiter().OnCompleted(() => seen = ResultOf(running));
        Assert.Equal(0, seen);
        Assert.Equal(1, loop.Run());
        Assert.Equal(6, seen);
    }

    [Fact]
    public void One_that_goes_on_for_ever_needs_no_more_stack()
    {
        using var loop = new Loop();
        var gate = new Gate();
        int rounds = 0;
        ValueTask running = Rounds();
        for (int i = 0; i < 100_000; i++)
        {
            gate.Open(1);
        }

        Assert.Equal(100_000, rounds);
        Assert.False(running.IsCompleted);
        Assert.Equal(0, loop.Posts);

        [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
        async ValueTask Rounds()
        {
            while (true)
            {
                rounds += await Five(gate) - 5;
            }
        }
    }

    [Fact]
    public void A_crowd_allocates_nothing()
    {
        using var loop = new Loop();
        Gate[] gates = [.. Enumerable.Range(0, Crowd).Select(static _ => new Gate())];
        var running = new ValueTask<int>[Crowd];
        long least = long.MaxValue;
        for (int times = 0; times < 50; times++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Crowd; i++)
            {
                running[i] = Five(gates[i]);
            }

            for (int i = 0; i < Crowd; i++)
            {
                gates[(i * 7) % Crowd].Open(1);
            }

            int sum = 0;
            for (int i = 0; i < Crowd; i++)
            {
                sum += ResultOf(running[i]);
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Equal(6 * Crowd, sum);
        }

        // The compiler makes an object of every async call in a debug build.
#if !DEBUG
        Assert.Equal(0, least);
#endif
    }

    private static T ResultOf<T>(in ValueTask<T> running) => running.GetAwaiter().GetResult();

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<int> Five(Gate gate) => await Four(gate) + 1;

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<int> Four(Gate gate) => await Three(gate) + 1;

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<int> Three(Gate gate) => await Two(gate) + 1;

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<int> Two(Gate gate)
    {
        int value = await One(gate);
        await default(ValueTask);
        return value + 1;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<int> One(Gate gate) => await gate.WaitAsync() + 1;

    // What the server's own waits are: it calls who waits, in whatever thread opens it.
    private sealed class Gate : IValueTaskSource<int>
    {
        private ManualResetValueTaskSourceCore<int> _core;

        public ValueTask<int> WaitAsync()
        {
            _core.Reset();
            return new ValueTask<int>(this, _core.Version);
        }

        public void Open(int value) => _core.SetResult(value);

        public int GetResult(short token) => _core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(
            Action<object?> continuation,
            object? state,
            short token,
            ValueTaskSourceOnCompletedFlags flags
        ) => _core.OnCompleted(continuation, state, token, ValueTaskSourceOnCompletedFlags.None);
    }

    // The context of this thread until it is disposed of.
    private sealed class Loop : SynchronizationContext, IDisposable
    {
        private readonly SynchronizationContext? _outer = Current;
        private readonly Queue<(SendOrPostCallback, object?)> _posted = [];

        public Loop() => SetSynchronizationContext(this);

        public int Posts { get; private set; }

        public override void Post(SendOrPostCallback d, object? state)
        {
            lock (_posted)
            {
                Posts++;
                _posted.Enqueue((d, state));
            }
        }

        public int Run()
        {
            int done = 0;
            for (; _posted.TryDequeue(out (SendOrPostCallback Work, object? State) next); done++)
            {
                next.Work(next.State);
            }

            return done;
        }

        public void Dispose() => SetSynchronizationContext(_outer);
    }
}
