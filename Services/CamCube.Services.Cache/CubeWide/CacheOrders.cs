using System.Text;
using System.Text.Json;

namespace CamCube.Services.Cache.CubeWide;

/// <summary>What the cache can be asked from outside by name (docs/http-api.md): its counters. Loop only.</summary>
internal sealed class CacheOrders(CubeCommands cube) : IServiceCommands
{
    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands { get; } =
    [
        new("statistics", "Counters, summed over all servers that answer. [of=cube|server (cube)]"),
    ];

    /// <inheritdoc/>
    public async ValueTask<CommandResult> RunCommandAsync(string command, IReadOnlyDictionary<string, string> arguments)
    {
        string of = arguments.GetValueOrDefault("of", "cube");
        if (command != "statistics")
        {
            return new CommandResult(false, $"there is no command '{command}'; there is: statistics");
        }

        if (of is not ("cube" or "server"))
        {
            return new CommandResult(false, $"of={of} must be cube or server");
        }

        (long[] sums, int servers) = await cube.CountAsync(of == "cube");
        return new CommandResult(true, ToJson(sums, servers));
    }

    private static string ToJson(long[] sums, int servers)
    {
        using var stream = new MemoryStream();
        using (var json = new Utf8JsonWriter(stream))
        {
            json.WriteStartObject();
            json.WriteNumber("servers", servers);
            json.WriteStartObject("counters");
            for (int i = 0; i < sums.Length; i++)
            {
                json.WriteNumber(CacheCounters.NameOf((CacheCount)i), sums[i]);
            }

            json.WriteEndObject();
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
