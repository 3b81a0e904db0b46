using CamCube.Analyzers.Tests.Kit;

namespace CamCube.Analyzers.Tests;

/// <summary>What is offered in the place of CC0001, CC0002 and CC0007, and where nothing is.</summary>
public sealed class FixTests
{
    [Theory]
    [InlineData("Thread.Sleep(10);", "await server.DelayAsync(TimeSpan.FromMilliseconds(10));")]
    [InlineData("Thread.Sleep(TimeSpan.FromSeconds(1));", "await server.DelayAsync(TimeSpan.FromSeconds(1));")]
    [InlineData("Task.CompletedTask.Wait();", "await Task.CompletedTask;")]
    [InlineData("int x = AskAsync().Result;", "int x = await AskAsync();")]
    [InlineData("string x = AskAsync().Result.ToString();", "string x = (await AskAsync()).ToString();")]
    [InlineData("int x = AskAsync().GetAwaiter().GetResult();", "int x = await AskAsync();")]
    [InlineData("await Task.Delay(5);", "await server.DelayAsync(TimeSpan.FromMilliseconds(5));")]
    [InlineData("await AskAsync().ConfigureAwait(false);", "await AskAsync();")]
    [InlineData("DateTime now = DateTime.UtcNow;", "DateTime now = server.TimeProvider.GetUtcNow().UtcDateTime;")]
    [InlineData("var now = DateTimeOffset.Now;", "var now = server.TimeProvider.GetLocalNow();")]
    [InlineData(
        "long t = TimeProvider.System.GetTimestamp(); Thread.Sleep(1);",
        "long t = server.TimeProvider.GetTimestamp(); await server.DelayAsync(TimeSpan.FromMilliseconds(1));"
    )]
    public async Task What_does_the_same_on_the_loop_is_put_in_its_place(string wrong, string right) =>
        Assert.Equal(
            $"public override void OnStart() => server.Loop.Run(async () => {{ await AskAsync(); {right} }});",
            await Fixing.FixAsync(
                $"public override void OnStart() => server.Loop.Run(async () => {{ await AskAsync(); {wrong} }});"
            )
        );

    [Theory]
    [InlineData(
        "private async void Go() { await AskAsync(); } "
            + "public override void OnStart() => server.Loop.Run(async () => Go());",
        "private async ValueTask Go()"
    )]
    [InlineData(
        "public override void OnStart() { Go(); async void Go() { await AskAsync(); } }",
        "async ValueTask Go()"
    )]
    public async Task What_nobody_can_await_returns_a_ValueTask(string wrong, string right) =>
        Assert.Contains(right, await Fixing.FixAsync(wrong), StringComparison.Ordinal);

    [Theory]
    [InlineData("public override void OnStart() => Thread.Sleep(10);")]
    [InlineData("public override void OnStart() { int x = AskAsync().Result; }")]
    [InlineData("private readonly Random _random = Random.Shared; public override void OnStart() => _random.Next();")]
    [InlineData("public override void OnStart() { Guid id = Guid.NewGuid(); }")]
    [InlineData("public override void OnStart() => new SemaphoreSlim(1).Wait();")]
    [InlineData("public override void OnStart() { Action go = async () => await AskAsync(); go(); }")]
    [InlineData(
        "private static long Now() => DateTime.UtcNow.Ticks; public override void OnStart() { long now = Now(); }"
    )]
    [InlineData(
        "public override void OnStart() { _ = Later(); static async ValueTask Later() { await Task.Yield(); "
            + "Thread.Sleep(1); } }"
    )]
    public async Task Nothing_is_offered_where_it_takes_thought(string members) =>
        Assert.Equal(members, await Fixing.FixAsync(members));
}
