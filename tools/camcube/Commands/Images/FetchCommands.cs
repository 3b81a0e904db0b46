using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary><c>camcube images get</c> and <c>info</c>.</summary>
internal static class FetchCommands
{
    private const string InfoPart = "info";

    /// <summary><c>get</c>.</summary>
    public static Command Get(CommonOptions common, Dictionary<Command, string> examples)
    {
        var image = new ImageOptions(common);
        Argument<string> name = ImageOptions.Name();
        Option<string> variant = new("--variant")
        {
            Description = "A variant; without it the original",
            HelpName = "VARIANT",
        };
        Option<string> to = new("--out") { Description = "File for the picture", HelpName = "FILE" };
        Command command = image.AddTo(new Command("get", "Prints a picture, byte by byte.") { name, variant, to });
        examples[command] = """
            camcube images get cat.jpg --out cat.jpg
            camcube images get cat.jpg --variant thumb > small.jpg
            camcube images get cat.jpg --out cat.jpg --json         {"name":"cat.jpg","version":"17",...}
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string wanted = ImageOptions.NameIn(parsed, name);
                using ImagesClient client = await image.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(
                    HttpMethod.Get,
                    wanted,
                    parsed.GetValue(variant),
                    null,
                    null,
                    cancel
                );
                string? file = parsed.GetValue(to);
                if (file is not null)
                {
                    await WriteAsync(file, reply.Body, cancel);
                }

                if (parsed.GetValue(common.Json))
                {
                    var json = new JsonObject
                    {
                        ["name"] = wanted,
                        ["version"] = reply.Version,
                        ["type"] = reply.Header("Content-Type"),
                        ["bytes"] = reply.Body.Length,
                    };
                    if (file is null)
                    {
                        json["picture"] = Convert.ToBase64String(reply.Body);
                    }

                    new Report(parsed.InvocationConfiguration.Output).Line(json.ToJsonString(ToolJson.Options));
                }
                else if (file is null)
                {
                    // As it is: what writes text would make other bytes of it.
                    await using Stream output = Console.OpenStandardOutput();
                    await output.WriteAsync(reply.Body, cancel);
                }

                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>info</c>.</summary>
    public static Command Info(CommonOptions common, Dictionary<Command, string> examples)
    {
        var image = new ImageOptions(common);
        Argument<string> name = ImageOptions.Name();
        Command command = image.AddTo(new Command("info", "Shows what there is of an image, and where.") { name });
        examples[command] = """
            camcube images info cat.jpg
            camcube images info cat.jpg --json | jq -r .root
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string wanted = ImageOptions.NameIn(parsed, name);
                using ImagesClient client = await image.ConnectAsync(parsed, cancel);
                KeyValueReply reply = await client.AskAsync(HttpMethod.Get, wanted, InfoPart, null, null, cancel);
                JsonNode info = Read(reply);
                JsonOrText.Print(
                    parsed,
                    common,
                    info.ToJsonString(ToolJson.Options),
                    report =>
                    {
                        report.Line($"version {info["version"]}, {info["type"]}, {info["width"]}x{info["height"]}");
                        report.Line($"{Report.Count((long)info["bytes"]!)} bytes");
                        report.Line($"server {info["root"]}, original at {string.Join(' ', Texts(info["servers"]))}");
                        foreach (JsonNode? one in (JsonArray)info["variants"]!)
                        {
                            report.Line(
                                (string?)one!["state"] == "ready"
                                    ? $"{one["name"]}: {one["type"]}, {one["width"]}x{one["height"]}, "
                                        + $"{one["bytes"]} bytes"
                                    : $"{one["name"]}: pending"
                            );
                        }
                    }
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>What the front end says in JSON.</summary>
    public static JsonNode Read(KeyValueReply reply)
    {
        try
        {
            return JsonNode.Parse(reply.Body) ?? throw new JsonException();
        }
        catch (JsonException)
        {
            throw new ToolException(ExitCode.Unavailable, "what answered is no image store: it sent no JSON.");
        }
    }

    private static IEnumerable<string> Texts(JsonNode? array) =>
        array is JsonArray all ? all.Select(static one => $"{one}") : [];

    private static async Task WriteAsync(string file, byte[] bytes, CancellationToken cancel)
    {
        try
        {
            // Half a picture never has the name of a whole one.
            await File.WriteAllBytesAsync($"{file}.part", bytes, cancel);
            File.Move($"{file}.part", file, overwrite: true);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"--out {file}: {e.Message}");
        }
    }
}
