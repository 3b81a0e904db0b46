using CamCube.Analyzers.Tests.Kit;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.Tests;

/// <summary>CC0001, CC0002, CC0007, CC0008, CC0010.</summary>
public sealed class LoopCodeTests
{
    private const string Helper = """
        internal static class Helper
        {
            public static void Sleep() => Deeper();
            private static void Deeper() => Thread.Sleep(1);
            public static void Here(Func<object> work) => work();
            public static void There(IServer server, [OffLoop] Func<object> work) =>
                server.Loop.Run(async () =>
                    await server.Work.OffloadAsync(static (w, _) => w(), work, new OffloadOptions()));
        }
        internal interface IStore { void Put(); }
        internal sealed class FileStore : IStore { public void Put() => File.WriteAllText("a", "b"); }
        internal abstract class Shape { public abstract void Draw(); }
        internal sealed class Slow : Shape { public override void Draw() => Thread.Sleep(1); }
        internal sealed class Stamp { private readonly DateTime _at = DateTime.UtcNow; public DateTime At => _at; }
        """;

    [Theory]
    [InlineData("public override void OnStart() => Thread.Sleep(10);")]
    [InlineData("public override void OnStart() => Task.CompletedTask.Wait();")]
    [InlineData("public override void OnStart() { int x = Task.FromResult(1).Result; }")]
    [InlineData(
        "public override void OnStart() => Server.DelayAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult();"
    )]
    [InlineData("public override void OnStart() => new SemaphoreSlim(1).Wait();")]
    [InlineData("public override void OnStart() => new ManualResetEventSlim().Wait();")]
    [InlineData("public override void OnStart() { var text = File.ReadAllText(\"a\"); }")]
    [InlineData("public override void OnStart() => new FileStream(\"a\", FileMode.Open).Dispose();")]
    [InlineData("private FileStream _file = null!; public override void OnStart() => _file.ReadByte();")]
    [InlineData("private FileStream _file = null!; public override void OnStart() => _file.Read(new byte[1]);")]
    [InlineData("private FileStream _file = null!; public override void OnStart() => _file.Write(new byte[1], 0, 1);")]
    [InlineData("private FileStream _file = null!; public override void OnStart() => _file.Flush(true);")]
    [InlineData("public override void OnStart() => File.OpenRead(\"a\").Dispose();")]
    [InlineData("public override void OnStart() => Helper.Here(() => new FileStream(\"a\", FileMode.Open));")]
    [InlineData("public override void OnStart() => Helper.Sleep();")]
    [InlineData("private readonly IStore _store = new FileStore(); public override void OnStart() => _store.Put();")]
    [InlineData("private readonly Shape _shape = new Slow(); public override void OnStart() => _shape.Draw();")]
    [InlineData("public override void OnStart() => Server.CreateTimer(() => Thread.Sleep(1));")]
    [InlineData(
        "public override void OnStart() => Server.Loop.Run(async () => { await Server.DelayAsync(default); "
            + "Console.ReadLine(); });"
    )]
    [InlineData(
        "private static void Local() { Inner(); void Inner() => Thread.Sleep(1); } public override void "
            + "OnStart() => Local();"
    )]
    [InlineData("public override void OnStart() => Parallel.For(0, 3, i => { });")]
    public void Blocking_is_found_wherever_the_loop_gets_to_it(string members) =>
        Assert.All(Everywhere.OfService(members, Helper), static said => Assert.Contains("CC0001", said));

    [Theory]
    [InlineData(
        "public override void OnStart() => Server.Loop.Run(async () => await Server.DelayAsync(TimeSpan.Zero));"
    )]
    [InlineData(
        "public override void OnStart() => Server.Loop.Run(async () => await "
            + "Server.Work.OffloadAsync(static (int s, CancellationToken c) => { Thread.Sleep(1); return s; }, "
            + "1, new OffloadOptions()));"
    )]
    [InlineData(
        "private static int Slow(int s, CancellationToken c) { File.WriteAllText(\"a\", \"b\"); return s; "
            + "} public override void OnStart() => Server.Loop.Run(async () => await "
            + "Server.Work.OffloadAsync<int, int>(Slow, 1, new OffloadOptions()));"
    )]
    [InlineData("public override void OnStart() => Helper.There(Server, () => new FileStream(\"a\", FileMode.Open));")]
    [InlineData(
        "public override void OnStart() => Helper.There(Server, Open); private object Open() => File.OpenRead(\"\");"
    )]
    [InlineData("public override void OnStart() => Helper.There(work: () => File.OpenRead(\"a\"), server: Server);")]
    [InlineData(
        "private FileStream _file = null!; public override void OnStart() => Server.Loop.Run(async () => { await "
            + "_file.WriteAsync(new byte[1]); });"
    )]
    [InlineData(
        "public override void OnStart() { ValueTask<int> t = new(1); if (t.IsCompletedSuccessfully) { int "
            + "x = t.Result; } }"
    )]
    [InlineData(
        "public override void OnStart() { ValueTask<bool> t = Server.DelayAsync(default); bool x = "
            + "t.IsCompleted && t.GetAwaiter().GetResult(); }"
    )]
    [InlineData("public override void OnStart() => Monitor.Enter(this);")]
    [InlineData("public override void OnStart() { lock (this) { } }")]
    [InlineData("private IStore? _store; public override void OnStart() => GC.KeepAlive(_store);")]
    [InlineData("public override void OnStart() => Path.Combine(\"a\", \"b\");")]
    [InlineData("public override void OnStart() => Console.WriteLine(\"hello\");")]
    [InlineData("public override void OnStart() => new StringReader(\"a\").ReadLine();")]
    public void What_does_not_block_is_left_alone(string members)
    {
        Assert.Empty(Analysis.OfService(members, Helper));
        Assert.Equal(Compiled(""), Compiled(members));
        Assert.NotEmpty(Compiled("public override void OnStart() => new FileStream(\"a\", FileMode.Open).Dispose();"));

        // The check looks at all of an assembly, so it says the helpers' own mistakes in any case.
        static string[] Compiled(string members) =>
            [
                .. Everywhere
                    .Compiled(Analysis.SourceOf(members, Helper), OptimizationLevel.Release)
                    .Where(static breach => breach.Rule == "CC0001")
                    .Select(static breach => breach.Member),
            ];
    }

    [Fact]
    public void What_the_loop_does_not_get_to_may_block() =>
        Assert.Empty(
            Analysis.OfService("", "internal static class Tool { public static void Main2() => Thread.Sleep(1); }")
        );

    [Theory]
    [InlineData("public override void OnStart() { var t = DateTime.UtcNow; }")]
    [InlineData("public override void OnStart() { var t = DateTime.Now; }")]
    [InlineData("public override void OnStart() { var t = Environment.TickCount64; }")]
    [InlineData("public override void OnStart() { var t = System.Diagnostics.Stopwatch.GetTimestamp(); }")]
    [InlineData("public override void OnStart() => Server.Loop.Run(async () => await Task.Delay(1));")]
    [InlineData("public override void OnStart() => Task.Run(() => { });")]
    [InlineData("public override void OnStart() { int x = Random.Shared.Next(); }")]
    [InlineData("private readonly Random _random = new();")]
    [InlineData("private readonly Guid _id = Guid.NewGuid();")]
    [InlineData("public override void OnStart() => new Timer(_ => { }).Dispose();")]
    [InlineData("public override void OnStart() { var t = new Stamp().At; }")]
    [InlineData("public override void OnStart() => new Thread(() => { }).Start();")]
    [InlineData("public override int GetHashCode() => HashCode.Combine(1, 2);")]
    public void Time_threads_and_randomness_of_others_are_found(string members) =>
        Assert.Contains("CC0002", Analysis.OfService(members, Helper));

    [Theory]
    [InlineData("public override void OnStart() { long t = Server.NowNanos; }")]
    [InlineData("public override void OnStart() { var t = Server.TimeProvider.GetUtcNow(); }")]
    [InlineData("public override void OnStart() { var r = new Random(17); int x = r.Next(); }")]
    [InlineData("public override void OnStart() { var t = new DateTime(2026, 1, 1); }")]
    [InlineData("public override void OnStart() { var t = TimeSpan.FromSeconds(1); }")]
    [InlineData("public override void OnStart() { var g = new Guid(new byte[16]); }")]
    [InlineData("public override void OnStart() => Server.Loop.Post(static _ => { }, null);")]
    [InlineData("public override void OnStart() { var t = Task.CompletedTask; }")]
    [InlineData("public override void OnStart() => Server.CreateTimer(() => { });")]
    [InlineData("public override void OnStart() { var t = DateTimeOffset.UnixEpoch; }")]
    [InlineData("public override int GetHashCode() => 17;")]
    public void The_servers_own_are_left_alone(string members) => Assert.Empty(Analysis.OfService(members));

    [Theory]
    [InlineData("private async void Go() { await Server.DelayAsync(default); }")]
    [InlineData("public override void OnStart() { Action a = async () => await Server.DelayAsync(default); a(); }")]
    [InlineData("public override void OnStart() => Server.CreateTimer(async () => await Server.DelayAsync(default));")]
    [InlineData("private async ValueTask Go() => await Server.DelayAsync(default).ConfigureAwait(false);")]
    [InlineData("private async ValueTask Go() { await Server.Packets.RentAsync(1).ConfigureAwait(false); }")]
    [InlineData(
        "private async Task Go() { await Task.CompletedTask.ConfigureAwait(continueOnCapturedContext: false); }"
    )]
    [InlineData(
        "public override void OnStart() => Server.Loop.Run(async () => { await "
            + "Server.DelayAsync(default).ConfigureAwait(false); });"
    )]
    [InlineData("public override void OnStart() { async void Go() => await Server.DelayAsync(default); Go(); }")]
    [InlineData(
        "private async ValueTask<int> Go() { await Server.DelayAsync(default).ConfigureAwait(false); return 1; }"
    )]
    [InlineData(
        "public override void OnStart() => new List<int>().ForEach(async x => await Server.DelayAsync(default));"
    )]
    public void Awaits_that_leave_the_loop_are_found(string members) =>
        Assert.Contains("CC0007", Analysis.OfService(members));

    [Theory]
    [InlineData("private async ValueTask Go() { await Server.DelayAsync(default); }")]
    [InlineData("private async ValueTask Go() { await Server.DelayAsync(default).ConfigureAwait(true); }")]
    [InlineData("private async Task<int> Go() { await Server.DelayAsync(default); return 1; }")]
    [InlineData("public override void OnStart() => Server.Loop.Run(async () => await Server.DelayAsync(default));")]
    [InlineData("public override ValueTask OnStoppingAsync() => ValueTask.CompletedTask;")]
    [InlineData("public override async ValueTask OnStoppingAsync() => await Server.DelayAsync(default);")]
    [InlineData("private void Go() { }")]
    [InlineData("public override void OnStart() { Func<Task> f = async () => await Server.DelayAsync(default); }")]
    [InlineData(
        "public override void OnStart() { async ValueTask Go() => await Server.DelayAsync(default); "
            + "Server.Loop.Run(Go); }"
    )]
    [InlineData("private async IAsyncEnumerable<int> Go() { await Server.DelayAsync(default); yield return 1; }")]
    public void Awaits_that_stay_are_left_alone(string members) => Assert.Empty(Analysis.OfService(members));

    [Theory]
    [InlineData("ConcurrentDictionary<string, int>", "_all")]
    [InlineData("ConcurrentDictionary<string, int>", "_all.Keys")]
    [InlineData("ConcurrentDictionary<string, int>", "_all.Values")]
    [InlineData("ConcurrentBag<int>", "_all")]
    [InlineData("ImmutableDictionary<string, int>", "_all")]
    [InlineData("ImmutableDictionary<string, int>", "_all.Keys")]
    [InlineData("ImmutableHashSet<string>", "_all")]
    [InlineData("FrozenDictionary<string, int>", "_all")]
    [InlineData("FrozenDictionary<string, int>", "_all.Values")]
    [InlineData("FrozenSet<string>", "_all")]
    [InlineData("System.Collections.Hashtable", "_all")]
    public void An_order_by_hash_codes_is_found(string type, string loop) =>
        Assert.Contains("CC0008", Analysis.OfService(LoopOver(type, loop)));

    [Theory]
    [InlineData("Dictionary<string, int>", "_all")]
    [InlineData("Dictionary<string, int>", "_all.Keys")]
    [InlineData("HashSet<string>", "_all")]
    [InlineData("List<int>", "_all")]
    [InlineData("SortedDictionary<string, int>", "_all.Values")]
    [InlineData("SortedSet<int>", "_all")]
    [InlineData("Queue<int>", "_all")]
    [InlineData("ImmutableArray<int>", "_all")]
    [InlineData("ConcurrentQueue<int>", "_all")]
    [InlineData("ConcurrentDictionary<string, int>", "_all.OrderBy(x => x.Key)")]
    [InlineData("FrozenSet<string>", "_all.Order(StringComparer.Ordinal)")]
    public void Other_orders_are_left_alone(string type, string loop) =>
        Assert.Empty(Analysis.OfService(LoopOver(type, loop)));

    [Theory]
    [InlineData("Task.Run(() => Server.NowNanos);")]
    [InlineData("Task.Run(() => { Server.Packets.TryRent(1, out Packet? p); });")]
    [InlineData("new Thread(() => { long t = Server.NowNanos; }).Start();")]
    [InlineData("ThreadPool.QueueUserWorkItem(_ => Server.Loop.Post(static _ => { }, null));")]
    [InlineData("Task.CompletedTask.ContinueWith(_ => Server.NowNanos);")]
    [InlineData("Task.Run(async () => await Server.DelayAsync(default));")]
    [InlineData("Task.Run(Later);")]
    [InlineData("Task.Run(() => Later());")]
    [InlineData("Task.Factory.StartNew(() => Server.Topology);")]
    [InlineData(
        "Server.Loop.Run(async () => await Server.Work.OffloadAsync((int s, CancellationToken c) => "
            + "Server.NowNanos, 1, new OffloadOptions()));"
    )]
    [InlineData("Parallel.For(0, 3, i => { long t = Server.NowNanos; });")]
    [InlineData("Task.Run(async () => { await Task.Yield(); Later(); });")]
    [InlineData("int n = 3; Task.Run(() => { n += 1; return Server.NowNanos + n; });")]
    [InlineData("Task.Run(() => { Server.Gate.CallAsync<Sample, int, int>((s, n) => new(n), 1); Later(); });")]
    public void The_server_on_another_thread_is_found(string statement) =>
        Assert.All(Everywhere.OfService(OnStart(statement)), static said => Assert.Contains("CC0010", said));

    [Theory]
    [InlineData("long t = Server.NowNanos;")]
    [InlineData("Later();")]
    [InlineData("Server.Loop.Post(_ => Later(), null);")]
    [InlineData("Server.Loop.Run(async () => { await Server.DelayAsync(default); Later(); });")]
    [InlineData("Server.CreateTimer(Later);")]
    [InlineData("Task.Run(() => 1);")]
    [InlineData("Task.Run(() => Server.Gate);")]
    [InlineData("Task.Run(() => Server.Gate.CallAsync<Sample, int, long>((s, n) => new(Server.NowNanos), 1));")]
    [InlineData(
        "Task.Run(async () => await Server.Gate.CallAsync<Sample, int, int>((s, n) => { s.Later(); "
            + "return new(n); }, 1));"
    )]
    [InlineData(
        "Task.Run(In); void In() => Server.Gate.CallAsync<Sample, int, long>((s, n) => new(Server.NowNanos), 1);"
    )]
    [InlineData("Task.Run(() => Server.Coordinate);")]
    [InlineData("Task.Run(() => Server.Stopping.IsCancellationRequested);")]
    [InlineData(
        "Server.Loop.Run(async () => { await Server.Work.OffloadAsync(static (int s, CancellationToken c) "
            + "=> s, 1, new OffloadOptions()); Later(); });"
    )]
    public void The_server_on_its_loop_is_left_alone(string statement) =>
        Assert.All(Everywhere.OfService(OnStart(statement)), static said => Assert.DoesNotContain("CC0010", said));

    [Fact]
    public void A_message_says_on_which_way_the_loop_gets_there()
    {
        var said = Analysis.Of(
            "Author",
            [
                Microsoft.CodeAnalysis.CSharp.CSharpSyntaxTree.ParseText(
                    "using System.Threading; using CamCube; class S : CamCubeService { public override void OnStart() "
                        + "=> "
                        + "H.A(); } static class H { public static void A() => B(); static void B() => "
                        + "Thread.Sleep(1); }",
                    Analysis.Options
                ),
            ],
            Analysis.Platform,
            mustCompile: true
        );
        Assert.Equal(
            "Thread.Sleep blocks the loop of the server, on which all services run: await instead, or give it to "
                + "IServer.Work (reached from S.OnStart)",
            Assert.Single(said).GetMessage(System.Globalization.CultureInfo.InvariantCulture)
        );
    }

    private static string LoopOver(string type, string loop) =>
        $"private {type} _all = default!; public override void OnStart() {{ foreach (var one in {loop}) {{ }} }}";

    private static string OnStart(string statement) =>
        $"private void Later() {{ long t = Server.NowNanos; }} public override void OnStart() {{ {statement} }}";
}
