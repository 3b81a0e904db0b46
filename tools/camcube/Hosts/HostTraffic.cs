using System.Text.Json;
using System.Text.Json.Nodes;
using CamCube.Administration.Answers;

namespace CamCube.Tool.Hosts;

/// <summary>Streams and messages between endpoints in the status of a host: of its own servers.</summary>
/// <param name="Streams">By service, those that have had some.</param>
/// <param name="Messenger">Messages; null: there is no messenger.</param>
internal sealed record HostTraffic(IReadOnlyList<HostStreams> Streams, HostMessenger? Messenger)
{
    /// <summary>Of the host's own status.</summary>
    public static HostTraffic Of(StatusAnswer status)
    {
        IGrouping<string, ServiceAnswer>[] services =
        [
            .. status.Servers.SelectMany(server => server.Services).GroupBy(service => service.Name),
        ];
        return new HostTraffic(
            [.. services.Select(service => HostStreams.Of([.. service])).OfType<HostStreams>()],
            services.FirstOrDefault(service => service.Key == "messenger") is { } messengers
                ? HostMessenger.Of([.. messengers])
                : null
        );
    }

    /// <summary>A status with the fields <c>streams</c> and, where there is one, <c>messenger</c>.</summary>
    public string AddTo(string json)
    {
        JsonNode whole = JsonNode.Parse(json)!;
        whole["streams"] = JsonSerializer.SerializeToNode(Streams, ToolJson.Options);
        if (Messenger is not null)
        {
            whole["messenger"] = JsonSerializer.SerializeToNode(Messenger, ToolJson.Options);
        }

        return whole.ToJsonString(ToolJson.Options);
    }
}
