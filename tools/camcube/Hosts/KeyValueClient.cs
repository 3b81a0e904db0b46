using CamCube.Loads.Settings;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>
/// The key-value store as the commands ask it: over its HTTP front end (docs/key-value.md), which takes keys and values
/// of all bytes and lengths and needs no right to control the host. What goes wrong is a <see cref="ToolException"/>.
/// </summary>
internal sealed class KeyValueClient : IDisposable
{
    private const string FrontEnd = "kv-http";
    private const string RedisFrontEnd = "redis";
    private const string HasNone =
        "answers for the key-value store now; a host has it with --Services:kv:Enabled=true --DataFolder=FOLDER.";

    private readonly FrontEndClient _http;

    /// <summary>The front end at an address.</summary>
    public KeyValueClient(Uri root) => _http = new FrontEndClient(root);

    /// <summary>The front end of a host's server.</summary>
    /// <param name="address">The host.</param>
    /// <param name="server">The server; null: the first that has one.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public static async Task<KeyValueClient> FindAsync(
        HostAddress address,
        ServerName? server,
        CancellationToken cancel
    ) => new(await FrontEndFinder.FindAsync(address, server, FrontEnd, HasNone, cancel));

    /// <summary>The front ends of all servers of a host that have one.</summary>
    public static Task<IReadOnlyList<Uri>> FindAllAsync(HostAddress address, CancellationToken cancel) =>
        FrontEndFinder.FindAllAsync(address, FrontEnd, HasNone, cancel);

    /// <summary>Where a host's servers are to be asked by a load: over Redis' protocol, if they speak it, or HTTP.
    /// </summary>
    public static async Task<(LoadTarget, IReadOnlyList<LoadEndpoint>)> FindLoadedAsync(
        HostAddress address,
        CancellationToken cancel
    )
    {
        (LoadTarget target, string frontEnd) = await FrontEndFinder.HasAsync(address, RedisFrontEnd, cancel)
            ? (LoadTarget.Redis, RedisFrontEnd)
            : (LoadTarget.Http, FrontEnd);
        IReadOnlyList<Uri> all = await FrontEndFinder.FindAllAsync(address, frontEnd, HasNone, cancel);
        return (target, [.. all.Select(static one => new LoadEndpoint(one.IdnHost, one.Port))]);
    }

    /// <summary>Asks.</summary>
    /// <param name="method">GET, HEAD, PUT, DELETE or POST.</param>
    /// <param name="query">The key, or the prefix of a list, and the rest, as the front end reads it.</param>
    /// <param name="body">The value, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="work">Time that the store may take for the work itself.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <returns>An answer of 200 and more. Others are thrown with what the front end says.</returns>
    public async Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string query,
        HttpContent? body,
        (string Name, string Value)? condition,
        TimeSpan work,
        CancellationToken cancel
    ) => await AskAsync(method, query, body, condition, work, null, null, cancel);

    /// <summary>Asks, with a value of any length; while bytes of it move nothing times out.</summary>
    /// <param name="method">GET, HEAD, PUT or DELETE.</param>
    /// <param name="query">The key and the rest.</param>
    /// <param name="body">The value, or null.</param>
    /// <param name="condition">A header with a condition, or null.</param>
    /// <param name="work">Time that the store may take for the work itself.</param>
    /// <param name="moving">Whom <paramref name="body"/> tells how far it is, or who brings the answer; or
    /// null.</param>
    /// <param name="into">Where the value of an answer of 200 goes, told its headers; null: into the reply.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public Task<KeyValueReply> AskAsync(
        HttpMethod method,
        string query,
        HttpContent? body,
        (string Name, string Value)? condition,
        TimeSpan work,
        MovingBytes? moving,
        Func<KeyValueReply, Stream>? into,
        CancellationToken cancel
    ) => _http.AskAsync(method, $"/kv/?{query}", body, condition, work, moving, into, cancel);

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();
}
