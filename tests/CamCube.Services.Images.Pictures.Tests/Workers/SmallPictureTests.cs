using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>Which pictures are long jobs, of which the pool keeps one worker free.</summary>
public sealed class SmallPictureTests
{
    [Theory]
    [InlineData(780, 520, false)]
    [InlineData(1_600, 1_200, false)]
    [InlineData(2_000, 1_500, true)]
    [InlineData(3_000, 2_000, true)]
    [InlineData(7_000, 7_000, true)]
    public void Pictures_of_cameras_never_have_all_workers(int width, int height, bool isLong)
    {
        PictureHeader header = new(PictureFormat.Jpeg, width, height, 1);
        WorkerOptions options = PictureProgram.Kind(new WorkerOptions(), null).Options;
        Assert.Equal(isLong, SimulatedPictures.CostOf(header) >= options.LongFrom);
    }
}
