import type { Texts } from './texts';

export const id: Texts = {
  name: 'Bahasa Indonesia',
  locale: 'id',
  dir: 'ltr',
  language: 'Bahasa',
  secure: 'Pembayaran aman',
  steps: { choose: 'Nominal', pay: 'Transfer', done: 'Selesai' },
  timeLeft: 'Sisa waktu',
  copy: 'Salin',
  copied: 'Tersalin',
  copyOf: (label) => `Salin: ${label}`,
  orderNo: 'Nomor pesanan',
  backTo: (merchant) => `Kembali ke ${merchant}`,
  refresh: 'Muat ulang',
  offline: 'Anda sedang offline. Halaman ini diperbarui begitu Anda tersambung kembali.',
  neverAsk: 'Kami tidak pernah meminta kata sandi, PIN, atau kode OTP Anda.',
  choose: {
    title: 'Berapa yang ingin Anda setor?',
    other: 'Nominal lain',
    own: 'Nominal Anda',
    range: (least, most) => `Dari ${least} sampai ${most}`,
    card: 'Anda akan membayar dari rekening mana?',
    submit: 'Lanjutkan',
  },
  pay: {
    title: 'Transfer tepat sejumlah',
    exact:
      'Bayar persis sejumlah ini. Angka yang disorot membedakan pembayaran Anda dari yang lain.',
    withRemark:
      'Salin kode ini ke kolom berita transfer. Dengan kode inilah kami mengenali pembayaran Anda.',
    amount: 'Jumlah',
    bank: 'Bank',
    branch: 'Cabang',
    accountNo: 'Nomor rekening',
    accountHolder: 'Nama pemilik rekening',
    scan: 'Pindai kode ini dengan aplikasi bank Anda',
    remark: 'Berita transfer',
    from: 'Bayar dari',
    waiting: 'Menunggu transfer Anda',
    waitingHint: 'Silakan buka aplikasi bank lalu kembali ke sini: halaman ini diperbarui sendiri.',
    paid: 'Saya sudah transfer, tetapi belum ada perubahan',
  },
  redirect: {
    title: 'Pembayaran Anda sudah siap',
    lead: 'Selesaikan di halaman mitra pembayaran kami, lalu kembali ke sini.',
    open: 'Lanjut ke pembayaran',
    scan: 'Atau pindai kode ini dengan ponsel Anda',
  },
  preparing: {
    title: 'Menyiapkan pembayaran Anda',
    lead: 'Rinciannya akan tampil di sini dalam beberapa detik.',
  },
  confirming: {
    title: 'Pembayaran Anda sudah kami terima',
    lead: 'Sedang dikonfirmasi, biasanya hanya sebentar. Anda tidak perlu melakukan apa pun.',
  },
  completed: {
    title: 'Pembayaran selesai',
    lead: (merchant) => `Terima kasih. ${merchant} sudah menerima pembayaran Anda.`,
    at: 'Selesai pada',
    amount: 'Jumlah dibayar',
  },
  cancelled: {
    title: 'Pembayaran ini dibatalkan',
    lead: 'Mohon jangan transfer lagi untuk pembayaran ini.',
  },
  failed: {
    title: 'Pembayaran tidak berhasil',
    lead: 'Mohon jangan transfer untuk pembayaran ini. Anda dapat memulai lagi kapan saja.',
  },
  expired: {
    title: 'Waktu pembayaran sudah habis',
    lead: 'Mohon jangan transfer lagi ke rekening ini. Silakan mulai pembayaran baru.',
  },
  sessionExpired: {
    title: 'Halaman ini sudah kedaluwarsa',
    lead: (merchant) => `Tidak ada dana yang ditagih. Kembali ke ${merchant} untuk memulai lagi.`,
  },
  invalid: {
    title: 'Tautan ini tidak berfungsi',
    lead: 'Tautan tidak lengkap atau sudah tidak berlaku. Silakan kembali ke halaman asal dan mulai lagi.',
  },
  unavailable: {
    title: 'Mohon tunggu sebentar',
    lead: 'Pembayaran Anda belum dapat ditampilkan. Tidak ada yang hilang: halaman ini mencoba lagi sendiri.',
  },
  claim: {
    question: 'Sudah membayar?',
    title: 'Beri tahu kami tentang pembayaran Anda',
    lead: 'Petugas akan mencocokkan kiriman Anda dengan mutasi rekening. Mohon jangan membayar dua kali.',
    reference: 'Nomor referensi bank',
    referenceHint: 'Nomor transaksi pada bukti transfer dari bank',
    receipt: 'Foto bukti transfer (opsional)',
    receiptHint: 'PNG, JPEG, atau WebP, maksimal 2 MB',
    submit: 'Kirim',
    back: 'Kembali ke rincian pembayaran',
  },
  claimed: {
    title: 'Terima kasih, kami sedang memeriksanya',
    lead: (reference) =>
      `Anda mengirim nomor referensi ${reference}. Petugas mencocokkannya dengan mutasi rekening; Anda tidak perlu membayar lagi.`,
  },
  problems: {
    amount: 'Pilih nominal, atau masukkan nominal dalam rentang yang tersedia.',
    card: 'Pilih rekening yang akan Anda gunakan untuk membayar.',
    reference: 'Masukkan nomor referensi yang ditampilkan bank Anda.',
    receipt: 'Foto harus PNG, JPEG, atau WebP dan maksimal 2 MB.',
    refused: 'Itu sudah tidak dapat dilakukan. Inilah keadaan terkini.',
    busy: 'Terlalu banyak permintaan sekaligus. Coba lagi sebentar lagi.',
  },
  sandbox: {
    title: 'Mode uji coba',
    lead: 'Tidak ada uang sungguhan yang berpindah di sini.',
    simulate: 'Simulasikan bank',
    outcomes: {
      PAID: 'Pembayaran masuk',
      WRONG_AMOUNT: 'Jumlah salah masuk',
      EXPIRED: 'Waktu habis',
    },
  },
};
