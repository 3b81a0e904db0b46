using System.Reflection;
using CamCube.Runtime;

namespace CamCube.Simulator.Tests;

public sealed class EventsTests
{
    /// <summary>New events have a body, so that hosts need not know them: who only passes events on would lose them
    /// without a word.</summary>
    [Fact]
    public void Whoever_passes_events_on_passes_all_of_them_on()
    {
        Type[] passing =
        [
            .. ((Assembly[])[typeof(IServerEvents).Assembly, typeof(SimulatedCube).Assembly])
                .SelectMany(assembly => assembly.GetTypes())
                .Where(type =>
                    type.IsClass
                    && type.IsAssignableTo(typeof(IServerEvents))
                    && type.GetConstructors(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                        .Any(made => made.GetParameters().Any(p => p.ParameterType == typeof(IServerEvents)))
                ),
        ];
        Assert.True(passing.Length >= 3, $"{passing.Length}");
        foreach (Type type in passing)
        {
            Assert.All(
                type.GetInterfaceMap(typeof(IServerEvents)).TargetMethods,
                method => Assert.True(method.DeclaringType == type, $"{type.Name} does not pass {method.Name} on")
            );
        }
    }

    [Fact]
    public void What_an_ended_run_still_draws_is_no_part_of_the_next_runs_hash()
    {
        Assert.Equal(HashAfter(drawsLate: false), HashAfter(drawsLate: true));
    }

    private static ulong HashAfter(bool drawsLate)
    {
        using var cube = new SimulatedCube(new TorusShape(2, 1, 1), []);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Random old = cube.ServerOf<object>(0).Random.Create("test");
        cube.Kill(0);
        cube.Revive(0);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        if (drawsLate)
        {
            old.Next();
        }

        cube.Advance(TimeSpan.FromMilliseconds(10));
        return cube.TraceHash;
    }
}
