using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Services.Images;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary><c>camcube images sign</c>.</summary>
internal static class SignCommand
{
    private static readonly string[] Methods = ["GET", "PUT", "POST", "DELETE"];

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var image = new ImageOptions(common);
        Argument<string?> name = new("NAME")
        {
            Description = "The image; nothing with POST.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<string> variant = new("--variant") { Description = "A variant, or info", HelpName = "VARIANT" };
        Option<string> method = new("--method")
        {
            Description = "What may be done with it: GET, PUT, POST or DELETE",
            HelpName = "METHOD",
            DefaultValueFactory = static _ => "GET",
        };
        Option<Duration> time = Values.Time(
            "--for",
            "How long it is good",
            TimeSpan.FromHours(1),
            TimeSpan.FromSeconds(1),
            TimeSpan.FromDays(3_650)
        );
        Command command = image.AddTo(
            new Command("sign", "Prints an address that is good until a time, for front ends that want a signature.")
            {
                name,
                variant,
                method,
                time,
            }
        );
        examples[command] = """
            camcube images sign cat.jpg --key images.key --for 10min
            camcube images sign cat.jpg --variant thumb --key images.key --front-end https://pictures.example:8300
            curl -T cat.jpg "$(camcube images sign cat.jpg --method PUT --key images.key)"
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                string wanted = parsed.GetRequiredValue(method).ToUpperInvariant();
                string? about = parsed.GetValue(name);
                if (!Methods.Contains(wanted) || (about is null) != (wanted == "POST"))
                {
                    throw new ToolException(
                        ExitCode.Usage,
                        "--method is GET, PUT or DELETE with NAME, or POST without it."
                    );
                }

                if (about is not null && ImageName.WrongOf(about) is { } wrong)
                {
                    throw new ToolException(ExitCode.Usage, $"NAME: {wrong}");
                }

                using ImagesClient client = await image.ConnectAsync(parsed, cancel, mustSign: true);
                DateTimeOffset end = TimeProvider.System.GetUtcNow() + parsed.GetValue(time).Value;
                Uri address = client.AddressOf(about, parsed.GetValue(variant), new HttpMethod(wanted), end);
                var json = new JsonObject
                {
                    ["address"] = address.AbsoluteUri,
                    ["method"] = wanted,
                    ["end"] = end.ToUnixTimeSeconds(),
                };
                JsonOrText.Print(parsed, common, json.ToJsonString(ToolJson.Options), address.AbsoluteUri);
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
