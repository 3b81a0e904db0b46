using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using CamCube.Experiments.Generated;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary><c>camcube camdoop generate</c>: input for MapReduce, made up, in a folder.</summary>
internal static class GenerateCommand
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command(
            "generate",
            "Writes input of a kind into a folder, with a file that says what it is: "
                + $"{DataGenerator.Manifest}, which jobs skip."
        );
        Command sort = Kind(
            common,
            "sort",
            "Records of 100 bytes as gensort's in ASCII: a key of 10, a number, filler. With their checksum.",
            hasShare: false,
            static (generator, _) => generator.Sort()
        );
        Command strings = Kind(
            common,
            "strings",
            "Keys of 4 to 28 letters, a line each.",
            hasShare: true,
            static (generator, share) => generator.Strings(share)
        );
        Command text = Kind(
            common,
            "text",
            "Lines of words, the n-th of a file 1/n times as often as its first.",
            hasShare: true,
            static (generator, share) => generator.Text(share)
        );
        examples[command] = "camcube camdoop generate strings --share 0.25 --files 27 --size 100MB --out strings";
        examples[sort] = "camcube camdoop generate sort --files 27 --size 100MB --out records";
        examples[strings] = "camcube camdoop generate strings --share 0.25 --files 27 --size 100MB --out strings";
        examples[text] = "camcube camdoop generate text --share 0.56 --files 27 --size 100MB --out words";
        foreach (Command one in (Command[])[sort, strings, text])
        {
            command.Subcommands.Add(one);
        }

        return command;
    }

    private static Command Kind(
        CommonOptions common,
        string name,
        string description,
        bool hasShare,
        Func<DataGenerator, double, GeneratedData> generate
    )
    {
        Option<string> folder = new("--out")
        {
            Description = "The folder; made if it is not there. None of the files may be there.",
            HelpName = "DIR",
            Required = true,
        };
        Option<int> files = Values.Whole("--files", "Files.", 27, 1, DataGenerator.MostFiles);
        Option<ByteCount> size = new("--size")
        {
            Description = "Bytes of all files, about, as in 100MB.",
            HelpName = "SIZE",
            DefaultValueFactory = static _ => new ByteCount(100_000_000),
            CustomParser = Values.Of<ByteCount>(ByteCount.TryParse, "must be a size, as in 100MB"),
        };
        Option<double> share = new("--share")
        {
            Description =
                "S, the ratio of output to intermediate data: 1 / files (all files have the same keys) to 1 (no two "
                + "have one in common).",
            HelpName = "S",
            DefaultValueFactory = static _ => 0.5,
            CustomParser = Values.Of<double>(
                static (string text, out double value) =>
                    double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value)
                    && value is > 0 and <= 1,
                "must be a number above 0, to 1"
            ),
        };
        Option<ulong> seed = Values.Seed();
        var command = new Command(name, description) { folder, files, size, seed };
        if (hasShare)
        {
            command.Options.Add(share);
        }

        common.RefuseHost(command, "generate writes files here; --host is for commands that ask a host.");
        command.SetAction(parsed =>
        {
            string to = parsed.GetRequiredValue(folder);
            var generator = new DataGenerator(
                to,
                parsed.GetValue(files),
                parsed.GetValue(size).Bytes,
                parsed.GetValue(seed)
            );
            GeneratedData data = Run(to, () => generate(generator, hasShare ? parsed.GetValue(share) : 0));
            JsonOrText.Print(parsed, common, JsonSerializer.Serialize(data, Json), report => Show(report, data, to));
            return ExitCode.Ok;
        });
        return command;
    }

    private static GeneratedData Run(string folder, Func<GeneratedData> generate)
    {
        try
        {
            return generate();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Failed, $"{folder} cannot be written: {e.Message}");
        }
    }

    private static void Show(Report report, GeneratedData data, string folder)
    {
        string size = new ByteCount(Math.Max(1, data.Bytes)).ToString();
        report.Line(
            data.Kind == "sort"
                ? $"{data.Keys:N0} records, {size} in {data.Files.Count:N0} files in {folder}; checksum {data.Checksum}"
                : $"{data.Keys:N0} different keys, S = {data.Share:0.####}, {size} in {data.Files.Count:N0} files in "
                    + folder
        );
    }
}
