using System.Buffers.Binary;
using System.ComponentModel;
using System.Text;
using CamCube;
using CamCube.Services.Messenger;

namespace FileServerSample;

/// <summary>
/// Files in memory, by name. Who wants one asks by a short message that lends a window; the file is written into it,
/// over all paths at once.
/// </summary>
[CamCubeService(0x700A, "file-server")]
public sealed class FileServer(IServer server, Dependency<IMessenger> messenger) : CamCubeService, IServiceCommands
{
    private const int FirstWindow = 1 << 20;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private readonly Dictionary<string, byte[]> _files = [];
    private IEndpoint? _endpoint;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<PutArguments, CommandResult>("put", "Keeps a file here.", Put, takesBody: true),
            ServiceCommand.Of<GetArguments, CommandResult>("get", "Fetches a file from a server.", GetAsync),
        ];

    /// <inheritdoc/>
    public override void OnStart() => server.Loop.Run(ServeAsync);

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _endpoint?.Dispose();

    private static string NameOf(Coordinate server) => $"files@{server}";

    private async ValueTask ServeAsync()
    {
        var options = new EndpointOptions { Patience = TimeSpan.FromMinutes(1) };
        while (await server.DelayAsync(TimeSpan.FromMilliseconds(10)))
        {
            if (messenger.IsAvailable)
            {
                messenger.Value.TryOpen(NameOf(server.Coordinate), options, out _endpoint);
            }

            while (_endpoint is not null && await _endpoint.WaitAsync())
            {
                while (_endpoint.TryReceive(out Message? question))
                {
                    Answer(_endpoint, question);
                    question.Release();
                }
            }
        }
    }

    // The file into the window; where it does not fit its length; nothing if there is none.
    private void Answer(IEndpoint endpoint, Message question)
    {
        if (question.Count != 1 || !_files.TryGetValue(Encoding.UTF8.GetString(question[0]), out byte[]? file))
        {
            endpoint.TryAnswer(question, 0, default(ReadOnlySpan<byte>));
        }
        else if (question.ReturnCount == 1 && question.ReturnLength(0) >= file.Length)
        {
            ReadOnlyMemory<byte>[] items = [file];
            server.Loop.Run(async () => await endpoint.AnswerAsync(question, 0, items, Patience));
        }
        else
        {
            Span<byte> length = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(length, file.Length);
            endpoint.TryAnswer(question, 0, length);
        }
    }

    private async ValueTask<CommandResult> GetAsync(GetArguments arguments, CommandContext context)
    {
        EndpointId from = EndpointId.OfName(NameOf(arguments.From));
        ReadOnlyMemory<byte>[] name = [Encoding.UTF8.GetBytes(arguments.Name)];
        for (int length = FirstWindow; _endpoint is not null; )
        {
            if (!messenger.Value.TryRentWindow(length, out Window? window))
            {
                return CommandResult.Refused($"There is no memory for {length} bytes.");
            }

            CallAnswer answer = await _endpoint.CallAsync(from, 0, name, [window], Patience, context.Cancel);
            byte[]? file = answer.Message is { IsLong: true } whole ? whole[0].ToArray() : null;
            length = answer.Message is { IsLong: false } other ? LengthIn(other[0]) : 0;
            answer.Dispose();
            messenger.Value.ReturnWindow(window);
            if (file is not null || length == 0)
            {
                return file is not null ? CommandResult.Bytes(file)
                    : answer.IsAnswered ? CommandResult.Refused($"{arguments.From} has no file {arguments.Name}.")
                    : CommandResult.Refused($"{arguments.From} does not answer: {answer.Status}.");
            }
        }

        return CommandResult.Refused("The messenger is not there yet.");
    }

    private ValueTask<CommandResult> Put(PutArguments arguments, CommandContext context)
    {
        _files[arguments.Name] = context.Body.ToArray();
        return new(CommandResult.Done);
    }

    private static int LengthIn(ReadOnlySpan<byte> item) =>
        item.Length == sizeof(int) ? BinaryPrimitives.ReadInt32LittleEndian(item) : 0;

    private sealed record PutArguments([Description("name of the file")] string Name);

    private sealed record GetArguments(
        [Description("name of the file")] string Name,
        [Description("who has it")] Coordinate From
    );
}
