using System.Collections.Concurrent;
using System.Diagnostics;

namespace CamCube.TestServices.Banned;

/// <summary>
/// Uses what a service must not use, in every kind of code that the compiler moves elsewhere. A comment "breach: what"
/// at the end of a line says what is to be reported there; nothing else may be.
/// </summary>
/// <typeparam name="T">Anything.</typeparam>
public sealed class Offender<T>(IServer server)
{
    private readonly long _made = Environment.TickCount64; // breach: .ctor calls System.Environment.get_TickCount64

    /// <summary>A property.</summary>
    public DateTime Now => DateTime.UtcNow; // breach: get_Now calls System.DateTime.get_UtcNow

    /// <summary>What is allowed.</summary>
    public long Age => server.NowNanos - _made + new DateTime(2030, 1, 1).Ticks + new Random(3).Next();

    /// <summary>An async method.</summary>
    public async Task<int> WaitAsync()
    {
        await Task.Yield();
        await Task.Delay(5); // breach: WaitAsync calls System.Threading.Tasks.Task.Delay
        return 3;
    }

    /// <summary>An iterator.</summary>
    public IEnumerable<Guid> Draw()
    {
        yield return Guid.Empty;
        yield return Guid.NewGuid(); // breach: Draw calls System.Guid.NewGuid
    }

    /// <summary>A lambda, one that captures, and an async one.</summary>
    public Func<Task> Lambdas(int sides)
    {
        Func<int, int> die = static n => Random.Shared.Next(n); // breach: Lambdas calls System.Random.get_Shared
        Func<int> other = () => sides + new Random().Next(); // breach: Lambdas creates System.Random
        return async () =>
        {
            await Task.Yield();
            Thread.Sleep(die(sides) + other()); // breach: Lambdas calls System.Threading.Thread.Sleep
        };
    }

    /// <summary>A local function and a method group.</summary>
    public Func<Guid> Local()
    {
        Tick();
        return Guid.NewGuid; // breach: Local refers to System.Guid.NewGuid

        static void Tick() => _ = DateTimeOffset.Now; // breach: Local calls System.DateTimeOffset.get_Now
    }

    /// <summary>Methods with type arguments: of the method, of the type, and of both.</summary>
    public Task<T?> Generics()
    {
        Task.Run(() => default(T)); // breach: Generics calls System.Threading.Tasks.Task.Run
        Task.Run(static () => Task.FromResult(3)); // breach: Generics calls System.Threading.Tasks.Task.Run
        TaskFactory<T?> factory = Task<T?>.Factory; // breach: Generics calls System.Threading.Tasks.Task`1.get_Factory
        return factory.StartNew(static () => default);
    }

    /// <summary>A type that is banned whole.</summary>
    public static TimeSpan Watch()
    {
        var watch = Stopwatch.StartNew(); // breach: Watch calls System.Diagnostics.Stopwatch.StartNew
        Type type = typeof(HashCode); // breach: Watch names System.HashCode
        TimeSpan time = watch.Elapsed; // breach: Watch calls System.Diagnostics.Stopwatch.get_Elapsed
        return type.IsValueType ? time : default;
    }

    /// <summary>Tasks that are waited for, and one that is asked first.</summary>
    public static int Get(Task<int> t)
    {
        t.Wait(); // breach: Get calls System.Threading.Tasks.Task.Wait
        _ = t.Result; // breach: Get calls System.Threading.Tasks.Task`1.get_Result
        return t.GetAwaiter().GetResult(); // breach: Get calls System.Runtime.CompilerServices.TaskAwaiter`1.GetResult
    }

    /// <summary>A task that has ended.</summary>
    public static int Ended(Task<int> task) => task.IsCompletedSuccessfully ? task.Result : 0;

    /// <summary>An await that goes on elsewhere, and one that does not.</summary>
    public static async Task AwaitAsync(Task task)
    {
        await task.ConfigureAwait(false); // breach: AwaitAsync calls System.Threading.Tasks.Task.ConfigureAwait
        await task.ConfigureAwait(true);
    }

    /// <summary>Nobody awaits it.</summary>
    public static async void Forget() => await Task.Yield(); // breach: Forget has async void

    /// <summary>Sum that differ, and one that does not.</summary>
    public static int Sum(ConcurrentDictionary<int, int> map, Dictionary<int, int> sure)
    {
        int sum = 0;
        foreach (var p in map) // breach: Sum calls System.Collections.Concurrent.ConcurrentDictionary`2.GetEnumerator
        {
            sum += p.Value;
        }

        foreach (int k in map.Keys) // breach: Sum calls System.Collections.Concurrent.ConcurrentDictionary`2.get_Keys
        {
            sum += k;
        }

        foreach (int key in sure.Keys)
        {
            sum += key;
        }

        return sum;
    }

    /// <summary>A type inside.</summary>
    public static class Inner
    {
        /// <summary>A thread.</summary>
        public static void Start()
        {
            var thread = new Thread(static () => { }); // breach: Inner.Start creates System.Threading.Thread
            thread.Start();
        }
    }
}
