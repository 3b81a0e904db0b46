namespace CamCube.SystemTests.Cables;

/// <summary>Shapes with axes of sizes 1 and 2, where links are missing or lead twice to one server.</summary>
[Collection(CablesGroup.Name)]
public sealed class ShapesTests
{
    [Theory]
    [InlineData("1x1x4", "ethernet")]
    [InlineData("2x2x2", "ethernet")]
    [InlineData("2x3x1", "udp")]
    [InlineData("2x2x2", "ethernet", "--parallel-cables", "false", "--fixed-places")]
    [InlineData("2x2x1", "ethernet", "--parallel-cables", "false")]
    [InlineData("2x3x1", "udp", "--parallel-cables", "false")]
    public async Task A_cube_of_any_shape_finds_itself_and_is_one_cache(
        string shape,
        string shim,
        params string[] options
    )
    {
        await using CableBed bed = await CableBed.StartAsync(shape, shim, options);
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }
}
