using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>The store for commands that ask it many things: a question that came to nothing because servers fail is
/// asked again, perhaps of another server. So it may only be what does no harm when it is done twice.</summary>
/// <param name="key">Where the store is.</param>
/// <param name="parsed">The command line.</param>
internal sealed class PatientClient(KeyOptions key, ParseResult parsed) : IDisposable
{
    private const int Tries = 30;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private KeyValueClient? _client;
    private bool _wasThere;

    /// <summary>Asks until there is an answer.</summary>
    /// <param name="ask">Asks.</param>
    /// <param name="again">Is called before it is asked again; false: it cannot be.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<T> AskAsync<T>(Func<KeyValueClient, Task<T>> ask, Func<bool>? again, CancellationToken cancel)
    {
        for (int tries = 1; ; tries++)
        {
            try
            {
                _client ??= await ConnectAsync(cancel);
                return await ask(_client);
            }
            catch (ToolException e)
                when (e.ExitCode == ExitCode.Unavailable && tries < Tries && again?.Invoke() != false)
            {
                // Others may be asked at once by several; each finds the store anew.
                _client = null;
                await Task.Delay(Pause, cancel);
            }
        }
    }

    // Who was there once may come back.
    private async Task<KeyValueClient> ConnectAsync(CancellationToken cancel)
    {
        try
        {
            KeyValueClient found = await key.ConnectAsync(parsed, cancel);
            _wasThere = true;
            return found;
        }
        catch (ToolException e) when (_wasThere)
        {
            throw new ToolException(ExitCode.Unavailable, e.Message);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _client?.Dispose();
}
