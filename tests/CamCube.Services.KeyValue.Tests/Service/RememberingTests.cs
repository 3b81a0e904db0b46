namespace CamCube.Services.KeyValue.Tests.Service;

public sealed class RememberingTests
{
    [Fact]
    public void A_request_that_was_done_is_known_after_a_start()
    {
        // So little is kept in memory that the start finds it behind what the disk says is applied.
        using var cube = new StoreCube(1, 1, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        int remembered = 0;
        for (int i = 0; i < 12; i++)
        {
            Assert.Equal(KeyValueStatus.Done, cube.Put(0, $"key {i}", new string('x', 3_000)).Status);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        }

        remembered = ((KeyValueService)cube[0]).Remembered;
        Assert.Equal(12, remembered);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.AwaitLed();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.Equal(remembered, ((KeyValueService)cube[0]).Remembered);
    }
}
