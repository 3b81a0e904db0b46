namespace CamCube.Topology.Tests;

/// <summary>Random shapes: axes of size 1 and 2 often, odd, even, one or two cables on axes of size 2.</summary>
internal static class Shapes
{
    public static TorusShape Random(Random random, int largest)
    {
        int Size() => random.Next(4) switch { 0 => 1, 1 => Math.Min(2, largest), _ => 1 + random.Next(largest) };
        return new TorusShape(Size(), Size(), Size(), random.Next(2) == 0);
    }

    public static TorusShape Parse(string text)
    {
        Assert.Null(TorusShape.TryParse(text, out TorusShape shape));
        return shape;
    }
}
