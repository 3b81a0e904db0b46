using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Images.Tests.Service;

public sealed class OptionsTests
{
    [Theory]
    [InlineData("thumb=160x160")]
    [InlineData("a-1=1x4096,cover")]
    [InlineData("a=1x1,cover,100")]
    [InlineData("a=1x1,1")]
    public void Variants_are_named_with_their_sizes(string text) => Assert.Empty(WrongOf([text]));

    [Theory]
    [InlineData("")]
    [InlineData("thumb")]
    [InlineData("=1x1")]
    [InlineData("info=1x1")]
    [InlineData("Thumb=1x1")]
    [InlineData("a/b=1x1")]
    [InlineData("a=0x1")]
    [InlineData("a=1x4097")]
    [InlineData("a=-1x1")]
    [InlineData("a=1x1x1")]
    [InlineData("a=1x1,")]
    [InlineData("a=1x1,0")]
    [InlineData("a=1x1,101")]
    [InlineData("a=1x1,cover,cover")]
    [InlineData("a=1x1,80,90")]
    public void What_names_no_variant_is_told(string text) => Assert.Contains($"'{text}' is not as", WrongOf([text]));

    [Fact]
    public void Names_differ_and_there_are_not_too_many()
    {
        Assert.Contains("a name that is there already", WrongOf(["a=1x1", "a=2x2"]));
        Assert.Contains("there may be 8", WrongOf([.. Enumerable.Range(0, 9).Select(i => $"v{i}=1x1")]));
        var options = new ImagesOptions { ArrivalMemory = 33 << 20 };
        Assert.Contains("less than twice", string.Join(' ', options.Validate(new ValidationContext(options))));
    }

    [Theory]
    [InlineData(30, 10, "")]
    [InlineData(11, 10, "")]
    [InlineData(10, 10, "Timeout: 00:00:10 is not longer than WorkerTime (00:00:10).")]
    [InlineData(5, 10, "Timeout: 00:00:05 is not longer than WorkerTime (00:00:10).")]
    public void A_request_goes_on_for_longer_than_a_worker_may_take(int seconds, int worker, string wrong)
    {
        var options = new ImagesOptions
        {
            Timeout = TimeSpan.FromSeconds(seconds),
            WorkerTime = TimeSpan.FromSeconds(worker),
        };
        IEnumerable<ValidationResult> all = options.Validate(new ValidationContext(options));
        Assert.Equal(wrong, string.Join(' ', all.Select(one => one.ErrorMessage)));
    }

    private static string WrongOf(string[] variants)
    {
        var options = new ImagesOptions { Variants = variants };
        return string.Join(' ', options.Validate(new ValidationContext(options)).Select(one => one.ErrorMessage));
    }
}
