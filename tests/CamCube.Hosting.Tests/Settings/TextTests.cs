using CamCube.Hosting.Settings;
using CamCube.ValueTexts;

namespace CamCube.Hosting.Tests.Settings;

/// <summary>Durations, sizes and names as people write them.</summary>
public sealed class TextTests
{
    [Theory]
    [InlineData("200ms", 200)]
    [InlineData("1s", 1_000)]
    [InlineData("1.5 s", 1_500)]
    [InlineData("2min", 120_000)]
    [InlineData("1h", 3_600_000)]
    [InlineData("00:00:00.2", 200)]
    [InlineData("0:01:00", 60_000)]
    [InlineData("250us", 0.25)]
    [InlineData(" 5MS ", 5)]
    public void A_duration_is_read(string text, double millis)
    {
        Assert.True(DurationText.TryParse(text, out TimeSpan duration));
        Assert.Equal(millis, duration.TotalMilliseconds);
    }

    [Theory]
    [InlineData("5")]
    [InlineData("")]
    [InlineData("s")]
    [InlineData("-5s")]
    [InlineData("1e9h")]
    [InlineData("five seconds")]
    [InlineData("99999999999999999999h")]
    public void A_text_without_a_unit_is_no_duration(string text) => Assert.False(DurationText.TryParse(text, out _));

    [Theory]
    [InlineData(0.25, "0.25 ms")]
    [InlineData(200, "200 ms")]
    [InlineData(60_000, "60 s")]
    [InlineData(3_600_000, "60 min")]
    public void A_duration_is_written(double millis, string text) =>
        Assert.Equal(text, DurationText.Format(TimeSpan.FromMilliseconds(millis)));

    [Theory]
    [InlineData("67108864", 67_108_864)]
    [InlineData("64MiB", 67_108_864)]
    [InlineData("1.5 GiB", 1_610_612_736)]
    [InlineData("2kib", 2_048)]
    [InlineData("-1", -1)]
    public void A_size_is_read(string text, long bytes)
    {
        Assert.True(SizeText.TryParse(text, out long size));
        Assert.Equal(bytes, size);
    }

    [Theory]
    [InlineData("64MB")]
    [InlineData("64M")]
    [InlineData("MiB")]
    [InlineData("")]
    [InlineData("99999999999TiB")]
    public void A_text_that_could_mean_two_sizes_is_none(string text) => Assert.False(SizeText.TryParse(text, out _));

    [Theory]
    [InlineData(100, "100 B")]
    [InlineData(67_108_864, "64 MiB")]
    [InlineData(1_811_939_328, "1.7 GiB")]
    public void A_size_is_written(double bytes, string text) => Assert.Equal(text, SizeText.Format(bytes));

    [Theory]
    [InlineData("Shpe", "Shape")]
    [InlineData("shape", "Shape")]
    [InlineData("Sahpe", "Shape")]
    [InlineData("Shim", "Shim")]
    [InlineData("Htt", "Http")]
    [InlineData("Det", "DetectionTime")]
    [InlineData("De", null)]
    [InlineData("Colour", null)]
    [InlineData("X", null)]
    public void The_nearest_name_is_found_or_none(string name, string? nearest) =>
        Assert.Equal(nearest, NearestName.Find(name, ["Shape", "Shim", "Seed", "Http", "DetectionTime"]));

    [Theory]
    [InlineData("", "", 0)]
    [InlineData("abc", "", 3)]
    [InlineData("abc", "acb", 1)]
    [InlineData("kitten", "sitting", 3)]
    public void Edits_are_counted(string a, string b, int edits) => Assert.Equal(edits, NearestName.Edits(a, b));
}
