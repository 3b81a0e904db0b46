using System.Text.Json.Nodes;
using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The other servers of a cube in the status of a host that runs one of them.</summary>
internal static class WholeCube
{
    /// <summary>How long each server gets for its answer.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The status with all servers of the cube, asked by the host's diagnostics service through the torus; those that
    /// did not answer are <c>unreachable</c>. What the host says of its own server stays. Without that service, or
    /// while the host starts, the status as it is.
    /// </summary>
    public static async Task<string> WithOthersAsync(ToolHost host, string json, CancellationToken cancel)
    {
        StatusAnswer status = host.Read<StatusAnswer>(json);
        bool asks =
            status.Phase == "ready"
            && status.Servers is [{ State: not "stopped" }]
            && status.Torus.Count > 1
            && status.Servers[0].Services.Any(service => service.Name == "diagnostics");
        if (!asks)
        {
            return json;
        }

        int own = status.Servers[0].Rank;
        string answer;
        try
        {
            answer = await host.PostAsync(
                $"/api/servers/{own}/services/diagnostics/servers?timeout={(int)Patience.TotalMilliseconds}ms",
                Patience * status.Torus.Count / 8,
                cancel
            );
        }
        catch (ToolException)
        {
            return json;
        }

        JsonNode whole = JsonNode.Parse(json)!;
        var servers = (JsonArray)JsonNode.Parse(answer)!["servers"]!;
        servers[own] = whole["servers"]![0]!.DeepClone();
        whole["servers"] = servers.DeepClone();
        return whole.ToJsonString(ToolJson.Options);
    }
}
