using System.ComponentModel.DataAnnotations;
using CamCube.FrontEnds.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>Settings of the key-value store's HTTP front end (<c>CamCube:FrontEnds:kv-http</c>), besides those that all
/// front ends over HTTP have.</summary>
public sealed class KeyValueHttpOptions : HttpFrontEndOptions
{
    /// <summary>Settings with their defaults; <see cref="HttpFrontEndOptions.LongestRequestLine"/> is 200 KiB, so that
    /// the longest key fits with each of its bytes as three characters, and
    /// <see cref="HttpFrontEndOptions.BodyWindow"/> 128 KiB: of a long value the store has a piece in memory
    /// anyway.</summary>
    public KeyValueHttpOptions() => (LongestRequestLine, BodyWindow) = (200 << 10, 128 << 10);

    /// <summary>The longest <c>timeout</c> of a request that waits for another version. Default 5 minutes.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan LongestWait { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Requests of one server that wait for another version at once; more are answered 503. Default 1,024.
    /// Each takes one of <c>CamCube:GateLimit</c> (4,096): with as many, nobody else is served. Those whose client has
    /// gone count for up to 10 s more.</summary>
    [Range(1, 1_000_000)]
    public int WaitsAtOnce { get; set; } = 1_024;
}
