using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Tests.Settings;

public sealed class CommandLineTests
{
    [Theory]
    [InlineData("CamCube:Shape", "--CamCube:Shape=4x4x4")]
    [InlineData("CamCube:Shape", "--CamCube:Shape", "4x4x4")]
    [InlineData("CamCube:Shape", "--shape", "4x4x4")]
    [InlineData("CamCube:Shape", "--SHAPE=4x4x4")]
    [InlineData("CamCube:HopLimit", "--hop-limit=4x4x4")]
    [InlineData("CamCube:Http:Port", "--http:Port", "4x4x4")]
    [InlineData("CamCube:FrontEnds:my-own:Port", "--front-ends:my-own:Port", "4x4x4")]
    [InlineData("CamCube:Services:hop-counter:Queue:Weight", "--CamCube:Services:hop-counter:Queue:Weight=4x4x4")]
    [InlineData("Logging:LogLevel:Default", "--Logging:LogLevel:Default=4x4x4")]
    [InlineData("CamCube:Shpe", "--Shpe=4x4x4")]
    public void All_forms_of_a_setting_are_read(string setting, params string[] arguments)
    {
        Mistakes mistakes = new();
        CommandLine line = CommandLine.Parse(arguments, mistakes);

        Assert.Empty(mistakes.Lines);
        Assert.Equal([new(setting, "4x4x4")], line.Settings);
    }

    [Fact]
    public void A_value_may_hold_anything_and_the_last_one_wins()
    {
        CommandLine line = CommandLine.Parse(
            ["--seed=a=b", "--seed", "-1", "--settings", "x.json", "--shim="],
            new Mistakes()
        );

        Assert.Equal("-1", line.Settings["camcube:seed"]);
        Assert.Equal("", line.Settings["CamCube:Shim"]);
        Assert.Equal("x.json", line.SettingsFile);
    }

    [Theory]
    [InlineData("'4x4x4' is not an option; options begin with -- (--help lists them).", "4x4x4")]
    [InlineData("'-x' is not an option; options begin with -- (--help lists them).", "-x")]
    [InlineData("'--' is not an option; options begin with -- (--help lists them).", "--")]
    [InlineData("'--=3' is not an option; options begin with -- (--help lists them).", "--=3")]
    [InlineData("--shape needs a value, as in --shape=...", "--shape")]
    [InlineData("--shape needs a value, as in --shape=...", "--shape", "--seed=3")]
    public void What_is_not_understood_is_a_mistake(string message, params string[] arguments)
    {
        Mistakes mistakes = new();
        CommandLine.Parse(arguments, mistakes);

        Assert.Equal([message], mistakes.Lines);
    }
}
