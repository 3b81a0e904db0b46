using System.Net;
using System.Net.Sockets;

namespace CamCube.Shim.Udp.Endpoints;

/// <summary>
/// Knows the address of a neighbour, and asks for it again when the neighbour is silent, since a server that is started
/// elsewhere keeps its name and not its address. A step machine; the name is looked up off the loop, one question at a
/// time. Loop only.
/// </summary>
/// <param name="endpoint">Where the neighbour is said to be.</param>
/// <param name="resolve">Looks names up.</param>
/// <param name="wake">Called from any thread when an answer is there.</param>
/// <param name="takesIPv6">Whether the socket can send to IPv6 addresses.</param>
/// <param name="takesIPv4">Whether the socket can send to IPv4 addresses.</param>
internal sealed class EndpointWatch(
    HostPort endpoint,
    NameResolver resolve,
    Action wake,
    bool takesIPv6,
    bool takesIPv4
)
{
    /// <summary>Longest time between two questions about a silent neighbour.</summary>
    private const long LongestPause = 5_000_000_000;

    private const long FirstPause = 500_000_000;
    private Task<IPAddress[]>? _question;
    private long _askAt = long.MinValue;
    private long _pause = FirstPause;

    /// <summary>Where it is said to be.</summary>
    public HostPort Endpoint => endpoint;

    /// <summary>Its present address; null: not known yet.</summary>
    public IPEndPoint? Address { get; private set; }

    /// <summary>Why the name has no address, in words; null: it has one, or nobody knows yet.</summary>
    public string? Fault { get; private set; }

    /// <summary>When <see cref="Step"/> is wanted at the latest, if the neighbour is silent then; server
    /// time.</summary>
    public long Deadline => _question is null ? _askAt : long.MaxValue;

    /// <summary>Takes an answer, and asks if it is time to.</summary>
    /// <param name="isSilent">Whether nothing was heard from the neighbour for a while.</param>
    /// <param name="now">Server time.</param>
    /// <returns>Whether the address has changed.</returns>
    public bool Step(bool isSilent, long now)
    {
        if (_question is { IsCompleted: true })
        {
            Task<IPAddress[]> answered = _question;
            _question = null;
            return Answered(answered);
        }

        if (_question is null && _askAt <= now && (isSilent || Address is null))
        {
            _askAt = now + _pause;
            _pause = Math.Min(2 * _pause, LongestPause);
            if (IPAddress.TryParse(endpoint.Host, out IPAddress? literal))
            {
                _askAt = long.MaxValue;
                return Answered(Task.FromResult<IPAddress[]>([literal]));
            }

            _question = resolve(endpoint.Host);
            _ = _question.ContinueWith(_ => wake(), TaskScheduler.Default);
        }
        else if (!isSilent)
        {
            _pause = FirstPause;
        }

        return false;
    }

    private bool Answered(Task<IPAddress[]> answered)
    {
        if (!answered.IsCompletedSuccessfully)
        {
            // Reading the exception marks it as seen.
            Fault = (answered.Exception?.InnerException as SocketException)?.SocketErrorCode
                is SocketError.HostNotFound
                    or SocketError.NoData
                ? "is not known"
                : $"cannot be looked up: {answered.Exception?.InnerException?.Message ?? "cancelled"}";
            return false;
        }

        IPAddress[] usable =
        [
            .. answered.Result.Where(a =>
                a.AddressFamily == AddressFamily.InterNetworkV6
                    ? takesIPv6
                    : a.AddressFamily == AddressFamily.InterNetwork && takesIPv4
            ),
        ];
        if (usable.Length == 0)
        {
            Fault = takesIPv6
                ? "has no address that the local one (CamCube:Udp:BindAddress) can send to"
                : "has no IPv4 address";
            return false;
        }

        Fault = null;

        // The present address did not answer, or the question would not have been asked: the next of the list gets its
        // turn.
        int present = Address is null ? -1 : Array.IndexOf(usable, Address.Address);
        IPAddress next = usable[(present + 1) % usable.Length];
        if (next.Equals(Address?.Address))
        {
            return false;
        }

        Address = new IPEndPoint(next, endpoint.Port);
        return true;
    }
}
