using System.ComponentModel.DataAnnotations;
using System.Net;
using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Tests.Settings;

public sealed class SettingsBinderTests
{
    [Fact]
    public void Every_type_of_setting_is_read()
    {
        (Sample sample, Mistakes mistakes) = Bind(
            ("Flag", "TRUE"),
            ("Whole", "-7"),
            ("Size", "2KiB"),
            ("Ratio", "0.5"),
            ("Wait", "150ms"),
            ("Drop", "oldest"),
            ("Address", "::1"),
            ("Shape", "2x3x4"),
            ("Place", "1,2,3"),
            ("Text", "hello"),
            ("Names:0", "a"),
            ("Names:1", "b"),
            ("Numbers", "1, 2,3"),
            ("Group:Inner", "9"),
            ("ReadOnlyGroup:Inner", "8"),
            ("MaybeWhole", "5")
        );

        Assert.Empty(mistakes.Lines);
        Assert.True(sample.Flag);
        Assert.Equal(-7, sample.Whole);
        Assert.Equal(2_048, sample.Size);
        Assert.Equal(0.5, sample.Ratio);
        Assert.Equal(TimeSpan.FromMilliseconds(150), sample.Wait);
        Assert.Equal(DropPolicy.Oldest, sample.Drop);
        Assert.Equal(IPAddress.IPv6Loopback, sample.Address);
        Assert.Equal(new TorusShape(2, 3, 4), sample.Shape);
        Assert.Equal(new Coordinate(1, 2, 3), sample.Place);
        Assert.Equal("hello", sample.Text);
        Assert.Equal(["a", "b"], sample.Names);
        Assert.Equal([1, 2, 3], sample.Numbers);
        Assert.Equal(9, sample.Group!.Inner);
        Assert.Equal(8, sample.ReadOnlyGroup.Inner);
        Assert.Equal(5, sample.MaybeWhole);
    }

    [Theory]
    [InlineData("Flag", "yes", "S:Flag = 'yes': allowed are true and false.")]
    [InlineData("Whole", "many", "S:Whole = 'many': allowed is a whole number.")]
    [InlineData("Whole", "1.5", "S:Whole = '1.5': allowed is a whole number.")]
    [InlineData("Whole", "99999999999", "S:Whole = '99999999999': allowed is a number from -2147483648 to 2147483647.")]
    [InlineData("Size", "64MB", "S:Size = '64MB': allowed is a whole number, also with KiB, MiB, GiB or TiB after it.")]
    [InlineData("Ratio", "half", "S:Ratio = 'half': allowed is a number as in 1 or 0.5.")]
    [InlineData("Wait", "5", "S:Wait = '5': allowed is a duration as in 200ms, 1.5s, 2min, 1h or 00:00:00.2.")]
    [InlineData("Drop", "1", "S:Drop = '1': allowed are Newest, Oldest.")]
    [InlineData("Drop", "Both", "S:Drop = 'Both': allowed are Newest, Oldest.")]
    [InlineData("Address", "8080", "S:Address = '8080': allowed is an IP address as in 127.0.0.1, 0.0.0.0 or ::1.")]
    [InlineData("Shape", "0x3x3", "S:Shape = '0x3x3': each axis size must be from 1 to 65535.")]
    [InlineData("Place", "1,2", "S:Place = '1,2': allowed is a coordinate as in 0,1,2.")]
    [InlineData("Numbers", "1,two", "S:Numbers = 'two': allowed is a whole number.")]
    [InlineData("Group", "9", "S:Group = '9': this is a group of settings: Inner.")]
    [InlineData("Group:Iner", "9", "S:Group:Iner is not a setting; did you mean S:Group:Inner?")]
    [InlineData("Whole:More", "9", "S:Whole:More is not a setting; did you mean S:Whole?")]
    [InlineData("Nummbers", "9", "S:Nummbers is not a setting; did you mean S:Numbers?")]
    [InlineData("DetectionTime", "9", "S:DetectionTime is not a setting; did you mean CamCube:Liveness:DetectionTime?")]
    [InlineData("Ranged", "11", "S:Ranged = '11': allowed is 1 to 10.")]
    [InlineData("RangedWait", "1h", "S:RangedWait = '1h': allowed is 5 ms to 60 s.")]
    [InlineData("Needed", "", "S:Needed = '': The Needed field is required.")]
    [InlineData("Pair", "1", "S:Pair: Pair must be even.")]
    [InlineData("Odd", "1", "S:Odd cannot be set: Action is not a type of settings.")]
    public void A_mistake_names_the_setting_the_value_and_what_is_allowed(string name, string value, string message)
    {
        (_, Mistakes mistakes) = Bind((name, value));

        Assert.Equal([message], mistakes.Lines);
    }

    [Fact]
    public void An_unknown_name_that_is_near_nothing_gets_the_list()
    {
        (_, Mistakes mistakes) = Bind(("Quux", "1"));

        string line = Assert.Single(mistakes.Lines);
        Assert.StartsWith("S:Quux is not a setting; there are Address, Drop, Flag,", line, StringComparison.Ordinal);
    }

    [Fact]
    public void A_null_and_a_name_that_others_read_are_left_alone()
    {
        (Sample sample, Mistakes mistakes) = Bind(("Whole", null), ("Theirs", "1"));

        Assert.Empty(mistakes.Lines);
        Assert.Equal(0, sample.Whole);
    }

    private static (Sample Sample, Mistakes Mistakes) Bind(params (string Name, string? Value)[] settings)
    {
        IConfigurationRoot configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.ToDictionary(s => $"S:{s.Name}", s => s.Value))
            .Build();
        Mistakes mistakes = new();
        Sample sample = new();
        new SettingsBinder(mistakes).Bind(configuration.GetSection("S"), [sample], ["Theirs"]);
        return (sample, mistakes);
    }

    private sealed class Inside
    {
        public int Inner { get; set; }
    }

    private sealed class Sample : IValidatableObject
    {
        public bool Flag { get; set; }

        public int Whole { get; set; }

        public long Size { get; set; }

        public double Ratio { get; set; }

        public TimeSpan Wait { get; set; }

        public DropPolicy Drop { get; set; }

        public IPAddress Address { get; set; } = IPAddress.Loopback;

        public TorusShape Shape { get; set; }

        public Coordinate? Place { get; set; }

        public string Text { get; set; } = "";

        public IReadOnlyList<string> Names { get; set; } = [];

        public List<int> Numbers { get; set; } = [];

        public Inside? Group { get; set; }

        public Inside ReadOnlyGroup { get; } = new();

        public int? MaybeWhole { get; set; }

        public Action? Odd { get; set; }

        [Range(1, 10)]
        public int Ranged { get; set; } = 5;

        [Range(typeof(TimeSpan), "00:00:00.005", "00:01:00")]
        public TimeSpan RangedWait { get; set; } = TimeSpan.FromSeconds(1);

        [Required]
        public string Needed { get; set; } = "here";

        public int Pair { get; set; }

        public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
        {
            if (Pair % 2 != 0)
            {
                yield return new ValidationResult("Pair must be even.", [nameof(Pair)]);
            }
        }
    }
}
