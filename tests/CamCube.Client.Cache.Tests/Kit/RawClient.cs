using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Asks a server what the client under test left there.</summary>
internal sealed class RawClient : IDisposable
{
    private readonly TcpClient _client = new() { NoDelay = true };
    private readonly Stream _stream;
    private readonly StreamReader _input;

    public RawClient(string address, SslClientAuthenticationOptions? terms = null)
    {
        string[] parts = address.Split(':');
        _client.Connect(parts[0], int.Parse(parts[1], CultureInfo.InvariantCulture));
        _client.ReceiveTimeout = 60_000;
        _stream = _client.GetStream();
        if (terms is not null)
        {
            var tls = new SslStream(_stream);
            tls.AuthenticateAsClient(terms);
            _stream = tls;
        }

        _input = new StreamReader(_stream, Encoding.Latin1);
    }

    public string Ask(string command)
    {
        _stream.Write(Encoding.Latin1.GetBytes(command + "\r\n"));
        return _input.ReadLine() ?? "closed";
    }

    /// <summary>Seconds the server keeps the item; -1: for ever.</summary>
    public int SecondsLeft(string key)
    {
        string answer = Ask($"mg {key} t");
        Assert.StartsWith("HD t", answer);
        return int.Parse(answer.AsSpan(4), CultureInfo.InvariantCulture);
    }

    /// <summary>As if all but so many seconds of an item's time had passed.</summary>
    public void LeaveOnly(string key, int seconds) => Assert.StartsWith("HD", Ask($"mg {key} T{seconds}"));

    public void Dispose() => _client.Dispose();
}
