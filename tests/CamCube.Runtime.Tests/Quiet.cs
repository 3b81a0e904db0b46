using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Checks after a test in which services were meant to fault.</summary>
internal static class Quiet
{
    /// <summary>No packet is owned by anybody, between two heartbeats.</summary>
    public static void AssertNoPackets(this TestCube cube)
    {
        for (int i = 0; i < 10_000 && cube.Cube.PacketsOutstanding > 0; i++)
        {
            cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        Assert.True(cube.Cube.PacketsOutstanding == 0, cube.Cube.DescribeOutstanding());
        foreach (int rank in Enumerable.Range(0, cube.Shape.Count))
        {
            Assert.Equal(0, cube[rank].Status.PacketsInUse);
        }
    }

    /// <summary>Exactly one fault, of this kind, whose message says all of these.</summary>
    public static T AssertOneFault<T>(this TestCube cube, params string[] words)
        where T : Exception
    {
        ServiceFault fault = Assert.Single(cube.Faults);
        T exception = Assert.IsType<T>(fault.Exception);
        foreach (string word in words)
        {
            Assert.Contains(word, exception.Message, StringComparison.OrdinalIgnoreCase);
        }

        return exception;
    }
}
