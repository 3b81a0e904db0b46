using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>
/// What a client of a crowd asks, and every byte that it must be answered. Its keys and values carry its name and are
/// nobody else's, so a byte of another client, or a command that it did not send, is seen.
/// </summary>
/// <param name="name">The client's name.</param>
/// <param name="random">What draws its commands.</param>
/// <param name="isBinary">Whether it speaks the binary protocol; else text and meta in turns.</param>
internal sealed class CrowdScript(string name, Random random, bool isBinary)
{
    private const int Keys = 6;
    private readonly Dictionary<string, (string Value, int Flags)> _items = [];
    private readonly StringBuilder _request = new();
    private readonly StringBuilder _reply = new();
    private int _values;

    /// <summary>Draws so many commands, and at the end one that is always answered. Returns them and their
    /// answers.</summary>
    public (string Request, string Reply) Next(int commands)
    {
        _request.Clear();
        _reply.Clear();
        for (int i = 0; i < commands; i++)
        {
            if (isBinary)
            {
                AddBinary();
            }
            else if (random.Next(3) == 0)
            {
                AddMeta();
            }
            else
            {
                AddText();
            }
        }

        _request.Append(isBinary ? new BinaryFrame { Opcode = 0x0a }.ToRequest() : "mn\r\n");
        _reply.Append(isBinary ? AnswerOf(new BinaryFrame { Opcode = 0x0a }, status: 0) : "MN\r\n");
        return (_request.ToString(), _reply.ToString());
    }

    /// <summary>Takes away what it may have stored, in text and without an answer.</summary>
    public string Leave() => string.Concat(Enumerable.Range(0, Keys).Select(i => $"delete {KeyOf(i)} noreply\r\n"));

    private string KeyOf(int number) => $"{name}-key-{number}";

    // Mostly small; some are larger than what the loop receives into.
    private string DrawValue()
    {
        int length = random.Next(60) switch
        {
            0 => random.Next(150_000),
            < 5 => random.Next(5_000),
            _ => random.Next(80),
        };
        string piece = string.Create(CultureInfo.InvariantCulture, $"<{name} {_values++}>");
        return string.Concat(Enumerable.Repeat(piece, (length / piece.Length) + 1))[..length];
    }

    private void AddText()
    {
        string key = KeyOf(random.Next(Keys)),
            other = KeyOf(random.Next(Keys));
        switch (random.Next(9))
        {
            case 0 or 1:
                (string value, int flags) = (DrawValue(), random.Next(1_000));
                bool isQuiet = random.Next(3) == 0;
                _request.Append(
                    CultureInfo.InvariantCulture,
                    $"set {key} {flags} 0 {value.Length}{(isQuiet ? " noreply" : "")}\r\n{value}\r\n"
                );
                _reply.Append(isQuiet ? "" : "STORED\r\n");
                _items[key] = (value, flags);
                break;
            case 2:
                _request.Append(CultureInfo.InvariantCulture, $"delete {key}\r\n");
                _reply.Append(_items.Remove(key) ? "DELETED\r\n" : "NOT_FOUND\r\n");
                break;
            case 3:
                string more = $"+{name}";
                _request.Append(CultureInfo.InvariantCulture, $"append {key} 0 0 {more.Length}\r\n{more}\r\n");
                bool isThere = _items.TryGetValue(key, out (string Value, int Flags) item);
                _reply.Append(isThere ? "STORED\r\n" : "NOT_STORED\r\n");
                if (isThere)
                {
                    _items[key] = (item.Value + more, item.Flags);
                }

                break;
            case 4:
                _request.Append("version\r\n");
                _reply.Append("VERSION 1.6.18-camcube-0.1.0\r\n");
                break;
            case 5:
                _request.Append("what is this\r\n");
                _reply.Append("ERROR\r\n");
                break;
            default:
                _request.Append(CultureInfo.InvariantCulture, $"get {key} {name}-nothing {other}\r\n");
                AddFound(key);
                AddFound(other);
                _reply.Append("END\r\n");
                break;
        }
    }

    private void AddFound(string key)
    {
        if (_items.TryGetValue(key, out (string Value, int Flags) item))
        {
            _reply.Append(
                CultureInfo.InvariantCulture,
                $"VALUE {key} {item.Flags} {item.Value.Length}\r\n{item.Value}\r\n"
            );
        }
    }

    private void AddMeta()
    {
        string key = KeyOf(random.Next(Keys));
        switch (random.Next(4))
        {
            case 0:
                (string value, int flags) = (DrawValue(), random.Next(1_000));
                _request.Append(
                    CultureInfo.InvariantCulture,
                    $"ms {key} {value.Length} F{flags} O{name} k\r\n{value}\r\n"
                );
                _reply.Append(CultureInfo.InvariantCulture, $"HD O{name} k{key}\r\n");
                _items[key] = (value, flags);
                break;
            case 1:
                _request.Append(CultureInfo.InvariantCulture, $"mg {key} v f k O{name}\r\n");
                if (_items.TryGetValue(key, out (string Value, int Flags) item))
                {
                    _reply.Append(
                        CultureInfo.InvariantCulture,
                        $"VA {item.Value.Length} f{item.Flags} k{key} O{name}\r\n{item.Value}\r\n"
                    );
                }
                else
                {
                    _reply.Append(CultureInfo.InvariantCulture, $"EN k{key} O{name}\r\n");
                }

                break;
            case 2:
                _request.Append(CultureInfo.InvariantCulture, $"md {key} q\r\nmn\r\n");
                _reply.Append(_items.Remove(key) ? "" : "NF\r\n").Append("MN\r\n");
                break;
            default:
                _request.Append("mn\r\n");
                _reply.Append("MN\r\n");
                break;
        }
    }

    private void AddBinary()
    {
        string key = KeyOf(random.Next(Keys));
        uint opaque = (uint)random.Next();
        switch (random.Next(4))
        {
            case 0:
                (string value, int flags) = (DrawValue(), random.Next(1_000));
                string extras = BinaryFrame.Number32((uint)flags) + BinaryFrame.Number32(0);
                _request.Append(
                    new BinaryFrame
                    {
                        Opcode = 0x11,
                        Key = key,
                        Extras = extras,
                        Value = value,
                        Opaque = opaque,
                    }.ToRequest()
                );
                _items[key] = (value, flags);
                break;
            case 1:
                _request.Append(
                    new BinaryFrame
                    {
                        Opcode = 0x00,
                        Key = key,
                        Opaque = opaque,
                    }.ToRequest()
                );
                if (_items.TryGetValue(key, out (string Value, int Flags) item))
                {
                    _reply.Append(HitOf(item.Value, item.Flags, opaque));
                }
                else
                {
                    _reply.Append(
                        AnswerOf(
                            new BinaryFrame
                            {
                                Opcode = 0x00,
                                Value = "Not found",
                                Opaque = opaque,
                            },
                            status: 1
                        )
                    );
                }

                break;
            case 2:
                _request.Append(
                    new BinaryFrame
                    {
                        Opcode = 0x04,
                        Key = key,
                        Opaque = opaque,
                    }.ToRequest()
                );
                _reply.Append(
                    _items.Remove(key)
                        ? AnswerOf(new BinaryFrame { Opcode = 0x04, Opaque = opaque }, status: 0)
                        : AnswerOf(
                            new BinaryFrame
                            {
                                Opcode = 0x04,
                                Value = "Not found",
                                Opaque = opaque,
                            },
                            status: 1
                        )
                );
                break;
            default:
                _request.Append(new BinaryFrame { Opcode = 0x0a, Opaque = opaque }.ToRequest());
                _reply.Append(AnswerOf(new BinaryFrame { Opcode = 0x0a, Opaque = opaque }, status: 0));
                break;
        }
    }

    // Its token is not known before.
    private static string HitOf(string value, int flags, uint opaque)
    {
        string found = AnswerOf(
            new BinaryFrame
            {
                Extras = BinaryFrame.Number32((uint)flags),
                Value = value,
                Opaque = opaque,
            },
            status: 0
        );
        return found[..16] + new string(CrowdClient.Any, sizeof(ulong)) + found[24..];
    }

    private static string AnswerOf(BinaryFrame frame, ushort status)
    {
        string request = frame.ToRequest();
        return "\u0081" + request[1..6] + (char)(status >> 8) + (char)(status & 255) + request[8..];
    }
}
