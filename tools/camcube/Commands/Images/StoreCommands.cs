using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Services.Images;
using CamCube.Tool.Commands.KeyValue;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary><c>camcube images put</c> and <c>rm</c>.</summary>
internal static class StoreCommands
{
    /// <summary><c>put</c>.</summary>
    public static Command Put(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (image, condition) = (new ImageOptions(common), new ConditionOptions());
        Argument<string> file = new("FILE") { Description = "The picture: JPEG, PNG, WebP or GIF." };
        Option<string> name = new("--as")
        {
            Description = "Its name; without it the store gives one, which is printed",
            HelpName = "NAME",
        };
        Command command = condition.AddTo(
            image.AddTo(new Command("put", "Stores a picture, in the place of what is there.") { file, name })
        );
        examples[command] = """
            camcube images put cat.jpg --as cat.jpg --if-absent     exit code 1 if there is one
            camcube images put cat.jpg --json                       {"name":"5f...","version":"17",...}
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                (string Name, string Value)? header = condition.Read(parsed);
                string? wanted = parsed.GetValue(name);
                if (wanted is not null && ImageName.WrongOf(wanted) is { } wrong)
                {
                    throw new ToolException(ExitCode.Usage, $"--as: {wrong}");
                }

                using HttpContent picture = PutCommand.Content(null, parsed.GetRequiredValue(file));
                using ImagesClient client = await image.ConnectAsync(parsed, cancel);
                HttpMethod method = wanted is null ? HttpMethod.Post : HttpMethod.Put;
                KeyValueReply reply = await client.AskAsync(method, wanted, null, picture, header, cancel);
                JsonNode stored = FetchCommands.Read(reply);
                JsonOrText.Print(
                    parsed,
                    common,
                    stored.ToJsonString(ToolJson.Options),
                    $"{stored["name"]}, version {stored["version"]}, {stored["width"]}x{stored["height"]}, variants "
                        + $"{stored["variants"]}"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>rm</c>.</summary>
    public static Command Remove(CommonOptions common, Dictionary<Command, string> examples)
    {
        var (image, condition) = (new ImageOptions(common), new ConditionOptions());
        Argument<string> name = ImageOptions.Name();
        Command command = condition.AddTo(
            image.AddTo(new Command("rm", "Removes an image and its variants.") { name })
        );
        examples[command] = """
            camcube images rm cat.jpg
            camcube images rm cat.jpg --if-version 17        exit code 1 if it has another
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                (string Name, string Value)? header = condition.Read(parsed);
                string removed = ImageOptions.NameIn(parsed, name);
                using ImagesClient client = await image.ConnectAsync(parsed, cancel);
                await client.AskAsync(HttpMethod.Delete, removed, null, null, header, cancel);
                var json = new JsonObject { ["name"] = removed, ["removed"] = true };
                JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), $"{removed} is removed");
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
